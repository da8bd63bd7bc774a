import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import type { Premove } from '../../store/premove.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import type { TableStore } from '../../store/table-store.ts';
import { headline, lastSentence, winners } from '../../text/sentence.ts';

interface StatusProps {
  readonly store: TableStore;
  readonly state: TableState;
  readonly cursor: ReplayCursor;
}

/**
 * The status of the match: the color to move, with the last event, the premove or the replayed ply
 * below. Its height is fixed.
 */
export function Status({ store, state, cursor }: StatusProps): JSX.Element {
  const { turn, outcome, checks, phase, suspension } = state.state;
  const best = outcome === undefined ? [] : winners(outcome);
  const color: Color | null = turn ?? (best.length === 1 ? (best[0] ?? null) : null);
  const premove = store.premove.value;
  const takenSeats = state.seats.filter((seat) => seat.user !== null).length;
  const lastEvent = lastEventText(state);
  const ply = cursor.ply.value;
  return (
    <section class="status" data-color={color} data-mine={turn !== undefined && turn === state.actingSeat && suspension === undefined} data-testid="status">
      <h1 class="status-head">
        <span>{headline(state)}</span>
        {checks.length > 0 && phase === 'running' && <span key={turn} class="check-sign">{text.table.check}</span>}
      </h1>
      {ply !== null ? (
        <ReplayedPly cursor={cursor} ply={ply} plyCount={state.plies.length} />
      ) : premove === null ? (
        <p class="status-text">{phase === 'open' ? text.table.filled(takenSeats, state.seats.length) : lastEvent}</p>
      ) : (
        <PremoveStatus store={store} premove={premove} />
      )}
    </section>
  );
}

/** The replayed ply, the number of new moves, and the button to the latest position. */
function ReplayedPly({ cursor, ply, plyCount }: { cursor: ReplayCursor; ply: number; plyCount: number }): JSX.Element {
  const missed = cursor.newPlies.value;
  return (
    <>
      <p class="status-text" data-testid="looking" data-ply={ply}>
        {ply === 0 ? text.replayControls.start(plyCount) : text.replayControls.after(ply, plyCount)}
      </p>
      <button
        type="button"
        class="button small status-button back-to-live"
        data-testid="to-live"
        data-missed={missed}
        aria-label={missed === 0 ? text.replayControls.toLive : `${text.replayControls.toLive}, ${text.replayControls.missed(missed)}`}
        onClick={() => cursor.live()}
      >
        {text.replayControls.toLive}
        {missed > 0 && <span class="missed-moves">+{missed}</span>}
      </button>
    </>
  );
}

/** The premove with the button that cancels it. */
function PremoveStatus({ store, premove }: { store: TableStore; premove: Premove }): JSX.Element {
  return (
    <>
      <p class="status-text" role="status" data-testid="premove">
        {text.play.premove(premove.from, premove.to)}
      </p>
      <button
        type="button"
        class="button small status-button"
        data-testid="premove-cancel"
        aria-label={text.play.premoveCancel}
        onClick={() => store.cancelPremove()}
      >
        {text.cancel}
      </button>
    </>
  );
}

function lastEventText(state: TableState): string {
  const { outcome, aborted } = state.state;
  if (outcome !== undefined) return text.reasons[outcome.reason];
  return aborted === undefined ? lastSentence(state) : text.events.aborted(aborted);
}
