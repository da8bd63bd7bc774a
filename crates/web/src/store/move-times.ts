import type { Entry } from '../protocol/generated.ts';

/**
 * Returns the thinking time of each move in milliseconds, by the event number of the move. It runs
 * from the start of the turn, or from the end of a pause, to the move. Moves that were taken back
 * are included.
 */
export function moveTimes(history: readonly Entry[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  let since: number | null = null;
  for (const { event, seq, at_ms } of history) {
    switch (event.type) {
      case 'moved':
        if (since !== null) times.set(seq, Math.max(0, at_ms - since));
        since = at_ms;
        break;
      case 'started':
      case 'eliminated':
      case 'taken_back':
      case 'resumed':
        since = at_ms;
        break;
      case 'interrupted':
        since = event.resumes_ms;
        break;
      default:
        break;
    }
  }
  return times;
}
