import type { Color } from '../protocol/generated.ts';
import { colorOf, roleOf, type RoleLetter } from './pieces.ts';
import type { TableState } from './table.ts';

/** Pieces of one kind that somebody has taken. */
export interface Captures {
  readonly color: Color;
  readonly role: RoleLetter;
  readonly count: number;
}

/** In this order what was taken is shown. */
const ROLES: readonly RoleLetter[] = ['Q', 'R', 'B', 'N', 'P'];

/** The captures of a color, by their color in turn order, most valuable first. A promoted piece counts as promoted. */
export function capturesBy(taker: Color, { plies, seats }: TableState): Captures[] {
  const taken = plies.flatMap((ply) => (ply.color === taker && ply.captured !== null ? [ply.captured] : []));
  return seats.flatMap(({ color }) =>
    ROLES.flatMap((role) => {
      const count = taken.filter((piece) => roleOf(piece) === role && colorOf(piece, seats) === color).length;
      return count === 0 ? [] : [{ color, role, count }];
    }),
  );
}
