import type { ChapterName, LessonName } from '../../text/rules-names.ts';

/** The chapters in their order, each with its lessons. */
export const CHAPTERS: readonly { readonly name: ChapterName; readonly lessons: readonly LessonName[] }[] = [
  { name: 'game', lessons: ['start'] },
  { name: 'pieces', lessons: ['pieces'] },
  { name: 'pawns', lessons: ['pawns', 'promotion', 'en-passant'] },
  { name: 'castling', lessons: ['castling'] },
  { name: 'check', lessons: ['check', 'saved', 'mate'] },
  { name: 'end', lessons: ['stalemate'] },
  { name: 'hints', lessons: [] },
  { name: 'classic', lessons: ['classic'] },
  { name: 'source', lessons: [] },
];
