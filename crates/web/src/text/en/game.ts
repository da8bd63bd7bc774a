import type { AbortCause, Cause, Color, Reason } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import { variantTexts } from '../variants.ts';
import { withFallback } from '../with-fallback.ts';

/** The names of the players. */
export const colors: Record<Color, string> = {
  white: 'White',
  black: 'Black',
  red: 'Red',
  blue: 'Blue',
  yellow: 'Yellow',
  green: 'Green',
};

/** The names of the roles. */
export const roles: Record<RoleLetter, string> = {
  P: 'pawn',
  N: 'knight',
  B: 'bishop',
  R: 'rook',
  Q: 'queen',
  K: 'king',
};

const rolePlurals: Record<RoleLetter, string> = { P: 'pawns', N: 'knights', B: 'bishops', R: 'rooks', Q: 'queens', K: 'kings' };

/** Returns a number of pieces of a kind: `1 rook`, `2 rooks`. */
export const roleCount = (count: number, role: RoleLetter): string => `${count} ${(count === 1 ? roles : rolePlurals)[role]}`;

/** Returns a number of pieces of a kind and a color: `1 red rook`, `2 red rooks`. */
export const pieceCount = (count: number, color: Color, role: RoleLetter): string =>
  `${count} ${colors[color].toLowerCase()} ${(count === 1 ? roles : rolePlurals)[role]}`;

/** The reasons of an elimination, as displayed at the seat. */
export const causes: Record<Cause, string> = withFallback({
  mate: 'Mated',
  resign: 'Resigned',
  time: 'Out of time',
  absence: 'Disconnected',
}, 'Eliminated');

/** The reasons of an elimination, as displayed in the list of moves. */
export const shortCauses: Record<Cause, string> = withFallback({ mate: 'mate', resign: 'resigns', time: 'time', absence: 'absent' }, 'out');

/** The reasons of a match's end. */
export const reasons: Record<Reason, string> = withFallback({
  mate: 'by checkmate',
  stalemate: 'by stalemate',
  repetition: 'by repetition',
  moves: 'by the 50-move rule',
  material: 'by insufficient material',
  agreement: 'by agreement',
  resign: 'by resignation',
  time: 'on time',
  absence: 'by disconnection',
}, 'by another rule');

/** The reasons of an abort. */
export const abortCauses: Record<AbortCause, string> = withFallback({
  agreement: 'by agreement',
  first_move: 'a player did not make the first move in time',
  absence: 'a player did not come back',
  operator: 'by a moderator',
}, 'for another reason');

/** The names and descriptions of the variants. */
export const variants = variantTexts(
  { dilkel: 'Dilkel', 'dilkel-compact': 'Dilkel compact', classic: 'Classic' },
  (players, { files, ranks, corner }, squares) => {
    const people = ['Two players', 'Three players', 'Four players'][players - 2];
    return `${people}, ${corner === 0 ? `${files}×${ranks} board` : `cross of ${squares} squares`}`;
  },
  'Unknown game',
);
