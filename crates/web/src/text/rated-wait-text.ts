import { text } from './index.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Returns why the user has to wait for a rated match, and for how long, in whole minutes or hours. */
export function ratedWaitText(left_ms: number): string {
  const unit_ms = left_ms > 2 * HOUR_MS ? HOUR_MS : MINUTE_MS;
  return text.ratedWait.left(text.span(Math.max(1, Math.ceil(left_ms / unit_ms)) * unit_ms));
}
