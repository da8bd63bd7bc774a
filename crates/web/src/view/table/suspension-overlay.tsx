import type { JSX } from 'preact';
import { isActive, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { timeLeft_ms } from '../../store/time-left.ts';
import { text } from '../../text/index.ts';
import { clockText } from './clock.tsx';
import { useTimer } from './use-timer.ts';

/** The interval between two updates of the time left, in milliseconds. */
const TICK_MS = 250;

/**
 * The overlay on the board while the match is suspended: the reason, the time left, and the button
 * to resume.
 */
export function SuspensionOverlay({ store, state }: { store: TableStore; state: TableState }): JSX.Element | null {
  const { suspension } = state.state;
  useTimer(suspension !== undefined, TICK_MS);
  if (suspension === undefined) return null;
  const left = timeLeft_ms(state, suspension.left_ms, performance.now());
  const color = suspension.color ?? null;
  const mayResume = suspension.kind === 'paused' && state.viewerSeat !== null && isActive(state, state.viewerSeat);
  return (
    <div class="suspension" data-testid="suspension" data-kind={suspension.kind}>
      <div class="suspension-card">
        {suspension.kind === 'paused' && (
          <>
            <h2>{text.suspension.paused}</h2>
            <p>{text.suspension.pausedHint(secondsText(left))}</p>
          </>
        )}
        {suspension.kind === 'resuming' && (
          <>
            <h2>{text.suspension.resuming}</h2>
            <p class="countdown" role="timer">
              {Math.ceil(left / 1_000)}
            </p>
            <p>{text.suspension.resumingHint(color)}</p>
          </>
        )}
        {suspension.kind === 'waiting' && color !== null && (
          <>
            <h2>{text.suspension.waiting(color)}</h2>
            <p>{state.ownSeats.includes(color) ? text.suspension.waitingForYou : text.suspension.waitingHint(secondsText(left))}</p>
          </>
        )}
        {mayResume && (
          <button type="button" class="button primary" data-testid="resume" onClick={() => void store.resume()}>
            {text.suspension.resume}
          </button>
        )}
      </div>
    </div>
  );
}

/** Formats a time left without tenths of a second. */
function secondsText(left: number): string {
  const seconds = Math.ceil(left / 1_000);
  return seconds < 20 ? `${seconds} s` : clockText(left);
}
