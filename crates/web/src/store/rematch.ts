import type { Color } from '../protocol/generated.ts';
import type { TableState } from './table.ts';

/** Returns whether a match has ended or was aborted. */
export function isOver({ state }: TableState): boolean {
  return state.outcome !== undefined || state.aborted !== undefined;
}

/**
 * Returns the colors that declined the last request for a rematch, in order. Only these players may
 * request a rematch again.
 */
export function declinedColors({ history }: TableState): Color[] {
  const lastRequest = history.findLastIndex(({ event }) => event.type === 'rematch_requested');
  return history.slice(lastRequest + 1).flatMap(({ event }) => (event.type === 'rematch_declined' ? [event.color] : []));
}
