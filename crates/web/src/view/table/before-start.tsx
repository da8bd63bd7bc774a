import type { JSX } from 'preact';
import { isOver } from '../../store/rematch.ts';
import type { TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { InvitePlayers } from '../invitations/invite-players.tsx';
import { CopyLink } from './copy-link.tsx';
import { FillWithBots } from './fill-with-bots.tsx';
import { InviteCard } from './invite-card.tsx';
import { PrivateLinks } from './private-links.tsx';
import { SeatRefused } from './seat-refused.tsx';

interface BeforeStartProps {
  readonly store: TableStore;
  readonly state: TableState;
}

/** The actions before a match: taking a seat, inviting others, giving up the seat. */
export function BeforeStart({ store, state }: BeforeStartProps): JSX.Element | null {
  if (state.state.closed === true) return <ClosedTable state={state} />;
  if (state.state.phase !== 'open') return <SeatRefused store={store} state={state} />;
  const isAsked = store.maySit && state.viewerSeat === null && !store.awaitsInvitedSeat.value && store.seatRefusal.value === null;
  return (
    <>
      <SeatRefused store={store} state={state} />
      <InviteCard store={store} state={state} />
      {store.isHost && <InvitePlayers state={state} />}
      {isAsked && (
        <section class="card">
          <p>{store.hasInvite ? text.table.invited : text.table.chooseSeat}</p>
          <button type="button" class="button primary" data-testid="sit-any" onClick={() => void store.sit(null)}>
            {text.table.sitAny}
          </button>
          <FillWithBots store={store} state={state} />
        </section>
      )}
      {store.needsAccount.value && <AccountNeeded />}
      {state.viewerSeat !== null && (
        <section class="card">
          <p>{text.table.seatedHint}</p>
          {state.settings.hotseat && <p class="quiet">{text.hotseat.moreSeats}</p>}
          <div class="buttons">
            <FillWithBots store={store} state={state} />
            <button type="button" class="button" data-testid="leave" onClick={() => void store.leave()}>
              {state.ownSeats.length > 1 ? text.hotseat.leaveSeats : text.table.leave}
            </button>
          </div>
        </section>
      )}
      {!store.isHost && <TableLink state={state} />}
      <PrivateLinks store={store} state={state} />
    </>
  );
}

/** The ways to an account for a guest at a rated table. */
function AccountNeeded(): JSX.Element {
  return (
    <section class="card" data-testid="account-needed">
      <p>{text.newTableDialog.ratedObstacles.account}</p>
      <div class="buttons">
        <a class="button primary" href="/sign-up">
          {text.account.create}
        </a>
        <a class="button" href="/sign-in">
          {text.signIn.title}
        </a>
      </div>
    </section>
  );
}

/** The link to a public table. If everybody may take a seat, the link gives its visitors a seat. */
function TableLink({ state: { table, settings } }: { state: TableState }): JSX.Element | null {
  const seatsVisitors = settings.admission === 'open';
  if (settings.privacy !== 'public' || (!seatsVisitors && settings.watchers !== 'everybody')) return null;
  return (
    <section class="card">
      <h2>{text.table.share}</h2>
      <p class="quiet">{seatsVisitors ? text.invite.hint : text.table.watchHint}</p>
      <CopyLink link={`${location.origin}/t/${table}${seatsVisitors ? '#sit' : ''}`} label={text.table.share} testId="table-link" />
    </section>
  );
}

/** The notice about a closed table. */
function ClosedTable({ state }: { state: TableState }): JSX.Element {
  const closing = state.history.findLast(({ event }) => event.type === 'closed')?.event;
  const reason = closing?.type === 'closed' ? closing.reason : undefined;
  return (
    <section class="card" data-testid="closed">
      {/* After a match the headline is about its result; otherwise it says this already. */}
      {isOver(state) && <h2>{text.table.closed}</h2>}
      <p class="quiet">{reason === undefined ? text.table.closedHint : text.table.closedByModerator(reason)}</p>
      <a class="button" href="/">
        {text.toLobby}
      </a>
    </section>
  );
}
