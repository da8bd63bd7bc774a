/** The chapters of the rules, by their names in addresses. */
export type ChapterName = 'game' | 'pieces' | 'pawns' | 'castling' | 'check' | 'end' | 'hints' | 'classic' | 'source';

/** The names of the lessons. */
export type LessonName =
  | 'start'
  | 'pieces'
  | 'pawns'
  | 'promotion'
  | 'en-passant'
  | 'check'
  | 'saved'
  | 'mate'
  | 'stalemate'
  | 'castling'
  | 'classic';
