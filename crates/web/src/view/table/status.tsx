import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { ReplayCursor } from '../../store/replay-cursor.ts';
import { parseMove, type MoveParts } from '../../store/moves.ts';
import { onlySeat } from '../../store/own-seats.ts';
import type { Premove } from '../../store/premove.ts';
import type { TableState } from '../../store/table.ts';
import { capitalize } from '../../text/capitalize.ts';
import { text } from '../../text/index.ts';
import type { TableStore } from '../../store/table-store.ts';
import { abortReason, headline, lastSentence, outcomeSentence, winners } from '../../text/sentence.ts';
import { useClient } from '../context.ts';
import { VariantEmblem } from '../variant-emblem.tsx';
import type { MoveInputState } from './move-input-state.ts';
import type { Notes } from './notes.ts';
import { UnreadSign } from './unread-sign.tsx';

interface StatusProps {
  readonly store: TableStore;
  readonly state: TableState;
  readonly cursor: ReplayCursor;
  readonly input: MoveInputState;
  readonly notes: Notes;
}

/**
 * The banner of a table: the state of the match in a few words, the checks, and a sentence below.
 * The place of the sentence is high enough for two lines.
 */
export function Status({ store, state, cursor, input, notes }: StatusProps): JSX.Element {
  const { turn, outcome, checks, phase, suspension } = state.state;
  const best = outcome === undefined ? [] : winners(outcome);
  const color: Color | null = turn ?? (best.length === 1 ? (best[0] ?? null) : null);
  const unsent = useUnsentMove(store);
  const head = unsent === null ? headline(state) : text.play.unsent;
  const isOwnTurn = turn !== undefined && turn === state.viewerSeat && suspension === undefined && unsent === null;
  return (
    <section class="status" data-color={color} data-mine={isOwnTurn} data-testid="status">
      <VariantEmblem variant={state.settings.variant} />
      <h1 class="status-head">
        <span key={head}>{head}</span>
        {checks.length > 0 && phase === 'running' && (
          <span key={turn} class="check-sign" data-testid="in-check">
            {text.table.inCheck(checks, onlySeat(state))}
          </span>
        )}
      </h1>
      <StatusText store={store} state={state} cursor={cursor} input={input} unsent={unsent} />
      <UnreadSign notes={notes} />
    </section>
  );
}

/** Returns the move that cannot be sent until the connection is restored, if there is one. */
function useUnsentMove(store: TableStore): MoveParts | null {
  const isOnline = useClient().connectionState.value === 'online';
  const pending = store.pendingMove.value;
  return pending === null || isOnline ? null : parseMove(pending.mv);
}

/**
 * The sentence below the headline. If there are several candidates, it is the most important one.
 */
function StatusText(props: Omit<StatusProps, 'notes'> & { readonly unsent: MoveParts | null }): JSX.Element {
  const { store, state, cursor, input, unsent } = props;
  const ply = cursor.ply.value;
  const premove = store.premove.value;
  const stuck = input.stuck.value;
  const { phase, facing_mate: facing = [] } = state.state;
  if (ply !== null) return <ReplayedPly cursor={cursor} ply={ply} plyCount={state.plies.length} />;
  if (stuck !== null) {
    return (
      <p key={stuck.square} class="status-text" role="status" data-testid="stuck" data-reason={stuck.reason}>
        {text.play.stuck[stuck.reason](stuck.role)}
      </p>
    );
  }
  if (unsent !== null) {
    return (
      <p class="status-text" role="status" data-testid="unsent">
        {text.play.unsentMove(unsent.from, unsent.to)}
      </p>
    );
  }
  if (premove !== null) return <PremoveStatus store={store} premove={premove} />;
  if (phase === 'running' && facing.length > 0) {
    return (
      <p class="status-text" data-testid="facing-mate">
        {text.table.facingMate(facing, onlySeat(state))}
      </p>
    );
  }
  const takenSeats = state.seats.filter((seat) => seat.user !== null).length;
  return <p class="status-text">{phase === 'open' ? text.table.seatsTaken(takenSeats, state.seats.length) : lastEventText(state)}</p>;
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
  if (outcome !== undefined) return outcomeSentence(state.state);
  return aborted === undefined ? lastSentence(state) : capitalize(abortReason(aborted, state));
}
