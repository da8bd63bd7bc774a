import type { AbortCause, Cause, Color, Reason, Variant } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';

/** Who plays. */
export const colors: Record<Color, string> = {
  white: 'White',
  black: 'Black',
  red: 'Red',
  blue: 'Blue',
  yellow: 'Yellow',
  green: 'Green',
};

/** What stands on squares. */
export const roles: Record<RoleLetter, string> = {
  P: 'pawn',
  N: 'knight',
  B: 'bishop',
  R: 'rook',
  Q: 'queen',
  K: 'king',
};

/** Why a seat is out, at the seat. */
export const causes: Record<Cause, string> = {
  mate: 'Mated',
  resign: 'Resigned',
  time: 'Out of time',
  absence: 'Absent',
};

/** Why a seat is out, in the list of moves. */
export const marks: Record<Cause, string> = { mate: 'mate', resign: 'resigns', time: 'time', absence: 'absent' };

/** Why a match ended. */
export const reasons: Record<Reason, string> = {
  mate: 'by checkmate',
  stalemate: 'by stalemate',
  repetition: 'by repetition',
  moves: 'by the move count',
  material: 'no mate is possible',
  agreement: 'by agreement',
  resign: 'by resignation',
  time: 'on time',
  absence: 'by absence',
};

/** Why a match was aborted. */
export const aborts: Record<AbortCause, string> = {
  agreement: 'by agreement',
  first_move: 'a first move did not come',
  absence: 'somebody did not come back',
};

/** The games one can play. */
export const variants: Record<Variant, { name: string; blurb: string }> = {
  dilkel: { name: 'Dilkel', blurb: 'Four players, the great cross' },
  'dilkel-compact': { name: 'Dilkel compact', blurb: 'Four players, a smaller cross' },
  classic: { name: 'Classic', blurb: 'Two players, 8 by 8' },
};
