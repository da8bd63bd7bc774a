import type { Color } from '../protocol/generated.ts';
import type { TableState } from './table.ts';

/** Whether a match is over, with places or without. */
export function isOver({ state }: TableState): boolean {
  return state.outcome !== undefined || state.aborted !== undefined;
}

/** Who did not want a rematch, the last time it was asked; then nobody else may ask again. */
export function declinedBy({ history }: TableState): Color | null {
  const last = history.findLast(({ event }) => event.type === 'rematch_asked' || event.type === 'rematch_declined')?.event;
  return last?.type === 'rematch_declined' ? last.color : null;
}
