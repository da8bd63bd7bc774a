import type { AttackView, Color, Square } from '../../protocol/generated.ts';
import { kingOf, type Pieces } from '../../store/pieces.ts';
import { lastPlies, type TableState } from '../../store/table.ts';

/** A square of somebody's last move. */
export interface MoveMark {
  readonly color: Color;
  readonly end: 'from' | 'to';
}

/** The squares of each color's last move; where two meet, the newer one is seen. */
export function moveMarks(state: TableState): ReadonlyMap<Square, MoveMark> {
  const marks = new Map<Square, MoveMark>();
  for (const ply of lastPlies(state)) {
    marks.set(ply.from, { color: ply.color, end: 'from' });
    marks.set(ply.to, { color: ply.color, end: 'to' });
  }
  return marks;
}

/** The squares of the kings that are in check. */
export function checkMarks(state: TableState, pieces: Pieces): ReadonlySet<Square> {
  const kings = state.state.checks.map((color) => kingOf(pieces, color));
  return new Set(kings.filter((square) => square !== null));
}

/** Returns the checks after the last event: attackers and the kings they attack. */
export function attacksIn({ history }: TableState): readonly AttackView[] {
  return history.at(-1)?.attacks ?? [];
}
