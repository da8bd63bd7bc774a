import type { Color } from '../protocol/generated.ts';
import { colorOf, roleOf, type RoleLetter } from './pieces.ts';
import type { TableState } from './table.ts';

/** The number of pieces of one color and role that a player has captured. */
export interface CaptureCount {
  readonly color: Color;
  readonly role: RoleLetter;
  readonly count: number;
}

/** The roles from the most to the least valuable, as captured pieces are displayed. */
const ROLES_BY_VALUE: readonly RoleLetter[] = ['Q', 'R', 'B', 'N', 'P'];

/**
 * Returns the pieces that a color has captured. They are grouped by their own color, in turn order,
 * with the most valuable pieces first. A promoted pawn counts with its new role.
 */
export function capturesBy(capturer: Color, { plies, seats }: Pick<TableState, 'plies' | 'seats'>): CaptureCount[] {
  const captured = plies.flatMap((ply) => (ply.color === capturer && ply.captured !== null ? [ply.captured] : []));
  return seats.flatMap(({ color }) =>
    ROLES_BY_VALUE.flatMap((role) => {
      const count = captured.filter((piece) => roleOf(piece) === role && colorOf(piece, seats) === color).length;
      return count === 0 ? [] : [{ color, role, count }];
    }),
  );
}
