import type { Color, Entry, Piece, Square } from '../protocol/generated.ts';

/** The pieces by square. Empty squares are missing. */
export type Pieces = Readonly<Record<Square, Piece>>;

/** A role, as the second letter of a piece's code. */
export type RoleLetter = 'P' | 'N' | 'B' | 'R' | 'Q' | 'K';

/** A role that a pawn may promote to, as the last letter of a move. */
export type PromotionLetter = 'q' | 'r' | 'b' | 'n';

const ROLES = 'PNBRQK';

/** Returns the pieces after the changed squares of an event. */
export function withChanges(pieces: Pieces, squares: Entry['squares']): Pieces {
  if (squares === undefined) return pieces;
  const after: Record<Square, Piece> = { ...pieces };
  for (const [square, piece] of Object.entries(squares)) {
    if (piece === null) delete after[square];
    else after[square] = piece;
  }
  return after;
}

/** The colors that play: the seats of a table, or another list with colors. */
export type ColoredSeats = readonly { readonly color: Color }[];

/**
 * Returns the color of a piece. Blue and Black share a letter, so the seats decide between them.
 */
export function colorOf(piece: Piece, seats: ColoredSeats): Color | null {
  return seats.find((seat) => colorLetter(seat.color) === piece.charAt(0))?.color ?? null;
}

/** Returns the first letter of a piece's code for a color. */
export function colorLetter(color: Color): string {
  return color.charAt(0);
}

/** Returns the role of a piece. */
export function roleOf(piece: Piece): RoleLetter | null {
  const letter = piece.charAt(1);
  return letter !== '' && ROLES.includes(letter) ? (letter as RoleLetter) : null;
}

/** Returns the square of a color's king. */
export function kingOf(pieces: Pieces, color: Color): Square | null {
  const king = `${colorLetter(color)}K`;
  return Object.keys(pieces).find((square) => pieces[square] === king) ?? null;
}
