import type { Color, Request } from '../protocol/generated.ts';
import { hasMoveToTakeBack, isIn, type TableState } from './table.ts';

/**
 * Returns the viewer's seat if there is only one; with several seats, each is named by its color.
 */
export function onlySeat({ yours }: TableState): Color | null {
  return yours.length === 1 ? (yours[0] ?? null) : null;
}

/** The viewer's seats that are still in, in turn order. */
export function seatsIn(state: TableState): Color[] {
  return state.yours.filter((color) => isIn(state, color));
}

/** The seat for which one asks: for a takeback the one that moved last, else the one to move, or to move next. */
export function askingSeat(state: TableState, request: Request): Color | null {
  if (request !== 'takeback') return state.you;
  const last = state.plies.findLast(({ color }) => seatsIn(state).includes(color) && hasMoveToTakeBack(state, color));
  return last?.color ?? state.you;
}

/** The seats that may be meant by resigning: the one to move if it is one's own, else all one has in. */
export function resigningSeats(state: TableState): Color[] {
  const { turn } = state.state;
  const held = seatsIn(state);
  return turn !== undefined && held.includes(turn) ? [turn] : held;
}
