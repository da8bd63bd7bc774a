import type { Color, Request } from '../protocol/generated.ts';
import { canTakeBack, isActive, type TableState } from './table.ts';

/**
 * Returns the viewer's seat if there is exactly one. At a hotseat table with several seats, texts
 * name each seat by its color.
 */
export function onlySeat({ ownSeats }: TableState): Color | null {
  return ownSeats.length === 1 ? (ownSeats[0] ?? null) : null;
}

/** Returns the viewer's seats that are not eliminated, in turn order. */
export function activeSeats(state: TableState): Color[] {
  return state.ownSeats.filter((color) => isActive(state, color));
}

/**
 * Returns the seat that makes a request: for a takeback the viewer's seat that moved last,
 * otherwise the seat that the viewer acts for.
 */
export function requestingSeat(state: TableState, request: Request): Color | null {
  if (request !== 'takeback') return state.viewerSeat;
  const last = state.plies.findLast(({ color }) => activeSeats(state).includes(color) && canTakeBack(state, color));
  return last?.color ?? state.viewerSeat;
}

/**
 * Returns the seats that the viewer may resign: the seat to move if the viewer holds it, otherwise
 * all of the viewer's seats that are not eliminated.
 */
export function seatsToResign(state: TableState): Color[] {
  const { turn } = state.state;
  const seats = activeSeats(state);
  return turn !== undefined && seats.includes(turn) ? [turn] : seats;
}
