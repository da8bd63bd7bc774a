import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Color } from '../../protocol/generated.ts';
import { left_ms, type TableState } from '../../store/table.ts';

/** From here on tenths are shown, milliseconds. */
const SHORT_MS = 20_000;
/** How often a running clock is read, milliseconds. */
const TICK_MS = 100;

/** A seat's clock, counting down by itself between the server's words; nothing where the match has no clocks. */
export function Clock({ state, color }: { state: TableState; color: Color }): JSX.Element | null {
  const [, tick] = useState(0);
  const running = state.state.clock?.running === color;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [running]);
  const left = left_ms(state, color, performance.now());
  if (left === null) return null;
  return (
    <span class="clock" role="timer" data-running={running} data-low={left < SHORT_MS}>
      {clockText(left)}
    </span>
  );
}

/** `1:02:03`, `4:31`, and `0:09.4` when time is short. */
export function clockText(left: number): string {
  if (left < SHORT_MS) {
    const tenths = Math.floor(left / 100);
    return `0:${String(Math.floor(tenths / 10)).padStart(2, '0')}.${tenths % 10}`;
  }
  const seconds = Math.ceil(left / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}
