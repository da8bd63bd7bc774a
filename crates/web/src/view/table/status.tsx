import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import type { TableStore } from '../../store/table-store.ts';
import { headline, lastSentence, winners } from '../../text/sentence.ts';

/** Whose turn it is and what happened last, or the move that is held for one's turn, in a place of fixed height. */
export function Status({ store, state }: { store: TableStore; state: TableState }): JSX.Element {
  const { turn, outcome, checks, phase, frozen } = state.state;
  const best = outcome === undefined ? [] : winners(outcome);
  const color: Color | null = turn ?? (best.length === 1 ? (best[0] ?? null) : null);
  const premove = store.premove.value;
  const held = state.seats.filter((seat) => seat.user !== null).length;
  const saying = sayingOf(state);
  return (
    <section class="status" data-color={color} data-mine={turn !== null && turn === state.you && frozen === undefined} data-testid="status">
      <h1 class="status-head">
        <span>{headline(state)}</span>
        {checks.length > 0 && phase === 'running' && <span class="check-sign">{text.table.check}</span>}
      </h1>
      {premove === null ? (
        <p class="status-saying">{phase === 'open' ? text.table.filled(held, state.seats.length) : saying}</p>
      ) : (
        <p class="status-saying" role="status" data-testid="premove">
          {text.play.premove(premove.from, premove.to)}
        </p>
      )}
      {premove !== null && (
        <button
          type="button"
          class="button small premove-cancel"
          data-testid="premove-cancel"
          aria-label={text.play.premoveCancel}
          onClick={() => store.cancelPremove()}
        >
          {text.cancel}
        </button>
      )}
    </section>
  );
}

function sayingOf(state: TableState): string {
  const { outcome, aborted } = state.state;
  if (outcome !== undefined) return text.reasons[outcome.reason];
  return aborted === undefined ? lastSentence(state) : text.say.aborted(aborted);
}
