import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { TableState } from '../../store/table.ts';
import { seatTime } from '../../store/time-left.ts';
import { text } from '../../text/index.ts';
import { useTicking } from './ticking.ts';

/** From here on tenths are shown, milliseconds. */
const SHORT_MS = 20_000;
/** Interval between two readings of a running clock, milliseconds. */
const TICK_MS = 100;
const DAY_SECONDS = 86_400;

function titleOf(kind: 'clock' | 'first_move' | 'limit'): string | undefined {
  if (kind === 'clock') return undefined;
  return kind === 'first_move' ? text.table.firstMoveWithin : text.table.moveWithin;
}

/**
 * A seat's clock, counting down by itself between the server's words; before a first move, and where moves have a
 * limit, what is left for this move. Where none counts just now its place stays free; nothing where none ever counts.
 */
export function Clock({ state, color }: { state: TableState; color: Color }): JSX.Element | null {
  const time = seatTime(state, color, performance.now());
  useTicking(time !== null && time.running, TICK_MS);
  if (time === null) return hasTimes(state) ? <span class="clock" data-empty aria-hidden="true" /> : null;
  return (
    <span
      class="clock"
      role="timer"
      aria-label={titleOf(time.kind)}
      title={titleOf(time.kind)}
      data-kind={time.kind}
      data-running={time.running}
      data-low={time.left_ms < SHORT_MS}
    >
      {clockText(time.left_ms)}
    </span>
  );
}

/** Returns whether times are shown at this table, now or on another's turn. */
function hasTimes({ settings }: TableState): boolean {
  return settings.time.kind !== 'none' || settings.move_limit_ms !== undefined;
}

/** `2d 04:10`, `1:02:03`, `4:31`, and `0:09.4` when time is short. */
export function clockText(left: number): string {
  if (left < SHORT_MS) {
    const tenths = Math.floor(left / 100);
    return `0:${String(Math.floor(tenths / 10)).padStart(2, '0')}.${tenths % 10}`;
  }
  const seconds = Math.ceil(left / 1_000);
  const [days, hours, minutes] = [Math.floor(seconds / DAY_SECONDS), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return `${days}d ${two(hours)}:${two(minutes)}`;
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
