import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { useTimer } from '../table/use-timer.ts';

/** The interval between two readings of the time left, in milliseconds. */
const TICK_MS = 1_000;

/** The time left for a move in words, such as `36 h left`. */
export function MoveTimeLeft({ deadline_ms }: { deadline_ms: number | null }): JSX.Element | null {
  useTimer(deadline_ms !== null, TICK_MS);
  if (deadline_ms === null) return null;
  const left_ms = Math.max(0, deadline_ms - performance.now());
  return (
    <span class="time-to-move" data-testid="time-to-move">
      {text.games.left(left_ms)}
    </span>
  );
}
