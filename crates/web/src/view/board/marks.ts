import type { AttackView, Color, Square } from '../../protocol/generated.ts';
import { kingOf, type Pieces } from '../../store/pieces.ts';
import { lastPlies, type TableState } from '../../store/table.ts';

/** The mark on a square of a color's last move. */
export interface MoveMark {
  readonly color: Color;
  readonly end: 'from' | 'to';
}

/**
 * Returns the squares of each color's last move. If two moves share a square, it has the mark of
 * the newer move.
 */
export function moveMarks(state: TableState): ReadonlyMap<Square, MoveMark> {
  const marks = new Map<Square, MoveMark>();
  for (const ply of lastPlies(state)) {
    marks.set(ply.from, { color: ply.color, end: 'from' });
    marks.set(ply.to, { color: ply.color, end: 'to' });
  }
  return marks;
}

/** Returns the squares of the kings in check. */
export function checkMarks(state: TableState, pieces: Pieces): ReadonlySet<Square> {
  const kings = state.state.checks.map((color) => kingOf(pieces, color));
  return new Set(kings.filter((square) => square !== null));
}

/** Returns the attackers and attacked kings after the last event. */
export function attacksAfterLastEvent({ history }: TableState): readonly AttackView[] {
  return history.at(-1)?.attacks ?? [];
}
