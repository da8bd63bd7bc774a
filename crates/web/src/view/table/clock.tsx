import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { TableState } from '../../store/table.ts';
import { delayLeft_ms, seatTime } from '../../store/time-left.ts';
import { text } from '../../text/index.ts';
import { useTimer } from './use-timer.ts';

/** The time below which tenths of a second are displayed, in milliseconds. */
const TENTHS_BELOW_MS = 20_000;
/** The interval between two updates of a running clock, in milliseconds. */
const TICK_MS = 100;
const DAY_SECONDS = 86_400;

function clockTitle(kind: 'clock' | 'first_move' | 'limit'): string | undefined {
  if (kind === 'clock') return undefined;
  return kind === 'first_move' ? text.table.firstMoveWithin : text.table.moveWithin;
}

/**
 * The clock of a seat. Between two frames of the server it counts down by itself. Before the first
 * move, and at tables with a move limit, it shows the time left for this move. If the seat has no
 * time, the place of the clock stays empty.
 */
export function Clock({ state, color }: { state: TableState; color: Color }): JSX.Element | null {
  const now = performance.now();
  const time = seatTime(state, color, now);
  const delay = delayLeft_ms(state, color, now);
  useTimer(time !== null && time.running, TICK_MS);
  if (time === null) return hasTimes(state) ? <span class="clock" data-empty aria-hidden="true" /> : null;
  return (
    <span
      class="clock"
      role="timer"
      aria-label={clockTitle(time.kind)}
      title={clockTitle(time.kind)}
      data-kind={time.kind}
      data-running={time.running}
      data-delayed={delay !== null}
      data-low={time.left_ms < TENTHS_BELOW_MS}
    >
      {clockText(time.left_ms)}
      {delay !== null && <Delay left_ms={delay} />}
    </span>
  );
}

/** The remaining seconds of the delay before the clock runs. */
function Delay({ left_ms }: { left_ms: number }): JSX.Element {
  const seconds = Math.ceil(left_ms / 1_000);
  return (
    <span class="delay" data-testid="delay" title={text.table.delay(seconds)}>
      +{seconds}
    </span>
  );
}

/** Returns whether this table ever shows times. */
function hasTimes({ settings }: TableState): boolean {
  return settings.time.kind !== 'none' || settings.move_limit_ms !== undefined;
}

/** Formats a time: `2d 4h`, `1:02:03`, `4:31`, or `0:09.4` when little is left. */
export function clockText(left_ms: number): string {
  if (left_ms < TENTHS_BELOW_MS) {
    const tenths = Math.floor(left_ms / 100);
    return `0:${String(Math.floor(tenths / 10)).padStart(2, '0')}.${tenths % 10}`;
  }
  const seconds = Math.ceil(left_ms / 1_000);
  const [days, hours, minutes] = [Math.floor(seconds / DAY_SECONDS), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return `${days}d ${hours}h`;
  return hours === 0 ? `${minutes}:${twoDigits(seconds % 60)}` : `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
