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
 * The color to move and the last event, or the premove, or the shown ply of the past, in a place of
 * fixed height.
 */
export function Status({ store, state, cursor }: StatusProps): JSX.Element {
  const { turn, outcome, checks, phase, suspension } = state.state;
  const best = outcome === undefined ? [] : winners(outcome);
  const color: Color | null = turn ?? (best.length === 1 ? (best[0] ?? null) : null);
  const premove = store.premove.value;
  const held = state.seats.filter((seat) => seat.user !== null).length;
  const saying = sayingOf(state);
  const ply = cursor.ply.value;
  return (
    <section class="status" data-color={color} data-mine={turn !== undefined && turn === state.you && suspension === undefined} data-testid="status">
      <h1 class="status-head">
        <span>{headline(state)}</span>
        {checks.length > 0 && phase === 'running' && <span key={turn} class="check-sign">{text.table.check}</span>}
      </h1>
      {ply !== null ? (
        <Past cursor={cursor} ply={ply} of={state.plies.length} />
      ) : premove === null ? (
        <p class="status-text">{phase === 'open' ? text.table.filled(held, state.seats.length) : saying}</p>
      ) : (
        <Held store={store} premove={premove} />
      )}
    </section>
  );
}

/** Shows how far the viewer looks back, what was missed, and the way to the present. */
function Past({ cursor, ply, of }: { cursor: ReplayCursor; ply: number; of: number }): JSX.Element {
  const missed = cursor.newPlies.value;
  return (
    <>
      <p class="status-text" data-testid="looking" data-ply={ply}>
        {ply === 0 ? text.replayControls.start(of) : text.replayControls.after(ply, of)}
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

/** The move that is held for one's turn, and the way to give it up. */
function Held({ store, premove }: { store: TableStore; premove: Premove }): JSX.Element {
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

function sayingOf(state: TableState): string {
  const { outcome, aborted } = state.state;
  if (outcome !== undefined) return text.reasons[outcome.reason];
  return aborted === undefined ? lastSentence(state) : text.say.aborted(aborted);
}
