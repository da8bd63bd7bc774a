/** The chapters of the page about the rules, by the names their addresses have. */
export type ChapterName = 'game' | 'pieces' | 'pawns' | 'castling' | 'check' | 'end' | 'hints' | 'classic' | 'source';

/** The lessons there are. */
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
