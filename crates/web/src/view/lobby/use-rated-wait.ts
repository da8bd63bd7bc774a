import { ratedWaitText } from '../../text/rated-wait-text.ts';
import { useClient } from '../context.ts';
import { useTimer } from '../table/use-timer.ts';

/** The interval between two readings of the time left, in milliseconds. */
const TICK_MS = 10_000;

/** Returns the sentence about the wait before the next rated match; `null` if the user need not wait. */
export function useRatedWait(): string | null {
  const wait = useClient().status.ratedWait.value;
  const left_ms = wait === null ? 0 : wait.until_ms - Date.now();
  useTimer(left_ms > 0, TICK_MS);
  return left_ms > 0 ? ratedWaitText(left_ms) : null;
}
