import type { JSX } from 'preact';
import { isIn, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { reduced } from '../../store/time-left.ts';
import { text } from '../../text/index.ts';
import { clockText } from './clock.tsx';
import { useTicking } from './ticking.ts';

/** How often the time left is read, milliseconds. */
const TICK_MS = 250;

/** Over the board while the match stands still: why, how long yet, and how play goes on. */
export function PauseOverlay({ store, state }: { store: TableStore; state: TableState }): JSX.Element | null {
  const { frozen } = state.state;
  useTicking(frozen !== undefined, TICK_MS);
  if (frozen === undefined) return null;
  const left = reduced(state, frozen.left_ms, performance.now());
  const color = frozen.color ?? null;
  const mayResume = frozen.kind === 'paused' && state.you !== null && isIn(state, state.you);
  return (
    <div class="frozen" data-testid="frozen" data-kind={frozen.kind}>
      <div class="frozen-card">
        {frozen.kind === 'paused' && (
          <>
            <h2>{text.frozen.paused}</h2>
            <p>{text.frozen.pausedHint(wholeSeconds(left))}</p>
          </>
        )}
        {frozen.kind === 'resuming' && (
          <>
            <h2>{text.frozen.resuming}</h2>
            <p class="countdown" role="timer">
              {Math.ceil(left / 1_000)}
            </p>
            <p>{text.frozen.resumingHint(color)}</p>
          </>
        )}
        {frozen.kind === 'waiting' && color !== null && (
          <>
            <h2>{text.frozen.waiting(color)}</h2>
            <p>{state.yours.includes(color) ? text.frozen.own : text.frozen.waitingHint(wholeSeconds(left))}</p>
          </>
        )}
        {mayResume && (
          <button type="button" class="button primary" data-testid="resume" onClick={() => void store.resume()}>
            {text.frozen.resume}
          </button>
        )}
      </div>
    </div>
  );
}

/** The time left without tenths, which nobody needs here. */
function wholeSeconds(left: number): string {
  const seconds = Math.ceil(left / 1_000);
  return seconds < 20 ? `${seconds} s` : clockText(left);
}
