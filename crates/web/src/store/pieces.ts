import type { Color, Entry, Piece, Square } from '../protocol/generated.ts';

/** The pieces by square; a square that is not named is empty. */
export type Pieces = Readonly<Record<Square, Piece>>;

/** The role part of a piece's code. */
export type RoleLetter = 'P' | 'N' | 'B' | 'R' | 'Q' | 'K';

/** The roles a pawn may become, as the last letter of a move. */
export type PromotionLetter = 'q' | 'r' | 'b' | 'n';

const ROLES = 'PNBRQK';

/** The board after an event. */
export function withChanges(pieces: Pieces, squares: Entry['squares']): Pieces {
  if (squares === undefined) return pieces;
  const after: Record<Square, Piece> = { ...pieces };
  for (const [square, piece] of Object.entries(squares)) {
    if (piece === null) delete after[square];
    else after[square] = piece;
  }
  return after;
}

/** Whoever plays: a table's seats, or any list of colors. */
export type Seats = readonly { readonly color: Color }[];

/** The color of a piece. Blue and Black share a letter: the players decide between them. */
export function colorOf(piece: Piece, seats: Seats): Color | null {
  return seats.find((seat) => colorLetter(seat.color) === piece.charAt(0))?.color ?? null;
}

/** The letter that stands for a color in a piece's code. */
export function colorLetter(color: Color): string {
  return color.charAt(0);
}

/** The role of a piece. */
export function roleOf(piece: Piece): RoleLetter | null {
  const letter = piece.charAt(1);
  return letter !== '' && ROLES.includes(letter) ? (letter as RoleLetter) : null;
}

/** Returns the square of a color's king. */
export function kingOf(pieces: Pieces, color: Color): Square | null {
  const king = `${colorLetter(color)}K`;
  return Object.keys(pieces).find((square) => pieces[square] === king) ?? null;
}
