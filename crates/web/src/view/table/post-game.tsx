import type { JSX } from 'preact';
import { onlySeat } from '../../store/own-seats.ts';
import { declinedColors, isOver } from '../../store/rematch.ts';
import type { TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { useQuickJoin } from '../quick-join.ts';
import { goTo } from '../router.ts';
import { Agreement } from './agreement.tsx';

interface PostGameProps {
  readonly store: TableStore;
  readonly state: TableState;
}

/** After the end: the same people once more, the next match, or away; and the record of what was played. */
export function PostGame({ store, state }: PostGameProps): JSX.Element | null {
  const quick = useQuickJoin();
  if (!isOver(state)) return null;
  const { variant, time } = state.settings;
  // Whoever goes elsewhere does not leave the others waiting for an answer.
  const part = (): void => {
    const { you } = state;
    if (you !== null && state.state.closed !== true && !declinedColors(state).includes(you)) void store.leave();
  };
  return (
    <section class="card after" aria-label={text.after.title}>
      <Rematch store={store} state={state} />
      <div class="post-game-actions">
        <button
          type="button"
          class="button"
          data-testid="next"
          disabled={quick.busy}
          onClick={() => {
            part();
            void quick.join({ variant, time });
          }}
        >
          {text.after.next(variant)}
        </button>
        <button
          type="button"
          class="button"
          data-testid="leave-table"
          onClick={() => {
            part();
            goTo('/');
          }}
        >
          {text.after.leave}
        </button>
      </div>
      <a class="quiet" href={`/m/${state.match}`} data-testid="to-replay">
        {text.after.replay}
      </a>
      <a class="quiet" href={`/api/matches/${state.match}/record`} download data-testid="record">
        {text.after.record}
      </a>
    </section>
  );
}

/** The question for a rematch: how it stands, and one press to want it. */
function Rematch({ store, state }: PostGameProps): JSX.Element | null {
  const { you } = state;
  const open = state.state.rematch ?? null;
  const decliners = declinedColors(state);
  const declined = decliners.at(-1);
  if (state.state.closed === true) return null;
  const wanted = open !== null && state.ownSeats.every((color) => open.agreed.includes(color));
  return (
    <>
      <p class="rematch-state" role="status" data-testid="rematch-state" data-agreed={open?.agreed.length ?? 0}>
        {open !== null && (
          <>
            <span>{open.by === onlySeat(state) ? text.after.youAsk : text.after.asks(open.by)}</span>
            <Agreement asked={state.seats.map(({ color }) => color)} agreed={open.agreed} />
          </>
        )}
        {open === null && declined !== undefined && <span>{text.after.declined(declined)}</span>}
      </p>
      {you !== null && (
        <div class="post-game-actions">
          <button
            type="button"
            class="button primary"
            data-testid="rematch"
            disabled={wanted || decliners.some((color) => !state.ownSeats.includes(color))}
            onClick={() => void store.rematch(open === null ? 'ask' : 'accept')}
          >
            {wanted ? text.after.asked : text.after.rematch}
          </button>
          {open !== null && !wanted && (
            <button type="button" class="button" data-testid="rematch-decline" onClick={() => void store.rematch('decline')}>
              {text.after.decline}
            </button>
          )}
        </div>
      )}
    </>
  );
}
