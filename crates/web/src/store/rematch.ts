import type { Color } from '../protocol/generated.ts';
import type { TableState } from './table.ts';

/** Returns whether a match is over, with places or without. */
export function isOver({ state }: TableState): boolean {
  return state.outcome !== undefined || state.aborted !== undefined;
}

/** The players who declined a rematch since the last request, in order; only they may ask again. */
export function declinersOf({ history }: TableState): Color[] {
  const asked = history.findLastIndex(({ event }) => event.type === 'rematch_requested');
  return history.slice(asked + 1).flatMap(({ event }) => (event.type === 'rematch_declined' ? [event.color] : []));
}
