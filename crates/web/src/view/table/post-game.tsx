import type { JSX } from 'preact';
import { onlySeat } from '../../store/own-seats.ts';
import { declinedColors, isOver } from '../../store/rematch.ts';
import type { TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { InviteAgain } from '../invitations/invite-again.tsx';
import { Agreement } from './agreement.tsx';
import { NextSteps } from './next-steps.tsx';

interface PostGameProps {
  readonly store: TableStore;
  readonly state: TableState;
}

/** The actions after a match: a rematch, the next match, leaving, and the record. */
export function PostGame({ store, state }: PostGameProps): JSX.Element | null {
  if (!isOver(state)) return null;
  // A player who leaves declines the rematch, so that the others do not wait.
  const leaveTable = (): void => {
    const { viewerSeat } = state;
    if (viewerSeat !== null && state.state.closed !== true && !declinedColors(state).includes(viewerSeat)) void store.leave();
  };
  return (
    <section class="card after" aria-label={text.postGame.title}>
      <Rematch store={store} state={state} />
      <NextSteps state={state} onLeave={leaveTable} />
      <div class="post-game-actions">
        <InviteAgain state={state} />
      </div>
      <a class="quiet" href={`/m/${state.match}`} data-testid="to-replay">
        {text.postGame.replay}
      </a>
      <a class="quiet" href={`/api/matches/${state.match}/record`} download data-testid="record">
        {text.postGame.record}
      </a>
    </section>
  );
}

/** The state of the rematch, and the buttons to agree or decline. */
function Rematch({ store, state }: PostGameProps): JSX.Element | null {
  const { viewerSeat } = state;
  const open = state.state.rematch ?? null;
  const declinedBy = declinedColors(state);
  const lastDeclined = declinedBy.at(-1);
  if (state.state.closed === true) return null;
  const hasAgreed = open !== null && state.ownSeats.every((color) => open.agreed.includes(color));
  return (
    <>
      <p class="rematch-state" role="status" data-testid="rematch-state" data-agreed={open?.agreed.length ?? 0}>
        {open !== null && (
          <>
            <span>{open.by === onlySeat(state) ? text.postGame.ownRequest : text.postGame.wantsRematch(open.by)}</span>
            <Agreement asked={state.seats.map(({ color }) => color)} agreed={open.agreed} />
          </>
        )}
        {open === null && lastDeclined !== undefined && <span>{text.postGame.declinesRematch(lastDeclined)}</span>}
      </p>
      {viewerSeat !== null && (
        <div class="post-game-actions">
          <button
            type="button"
            class="button primary"
            data-testid="rematch"
            disabled={hasAgreed || declinedBy.some((color) => !state.ownSeats.includes(color))}
            onClick={() => void store.rematch(open === null ? 'ask' : 'accept')}
          >
            {hasAgreed ? text.postGame.rematchRequested : text.postGame.rematch}
          </button>
          {open !== null && !hasAgreed && (
            <button type="button" class="button" data-testid="rematch-decline" onClick={() => void store.rematch('decline')}>
              {text.postGame.decline}
            </button>
          )}
        </div>
      )}
    </>
  );
}
