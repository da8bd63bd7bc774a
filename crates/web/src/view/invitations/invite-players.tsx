import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SentInvitation, TableId, UserView } from '../../protocol/generated.ts';
import { freeSeats, type TableState } from '../../store/table.ts';
import { nameOf } from '../../text/name-of.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { LoadError } from '../load-error.tsx';
import { useLoaded } from '../use-loaded.ts';
import { UserName } from '../user-name.tsx';

/** The number of listed players who have no invitation. */
const MAX_LISTED = 12;

/**
 * The players whom the host of a table can invite: those whom the host follows, and recent
 * opponents. They are requested when the host opens the list.
 */
export function InvitePlayers({ state }: { state: TableState }): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  if (freeSeats(state).length === 0) return null;
  return (
    <details class="card invite-players" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary data-testid="invite-players">{text.invitations.players}</summary>
      {isOpen && <Players table={state.table} seated={new Set(state.seats.map(({ user }) => user?.id))} />}
    </details>
  );
}

function Players({ table, seated }: { table: TableId; seated: ReadonlySet<string | undefined> }): JSX.Element {
  const client = useClient();
  const { relations } = client;
  const words = text.invitations;
  const sent = useLoaded(async () => (await client.api.sentInvitations(table)).invitations, table);
  const opponents = useLoaded(async () => (await client.api.opponents()).opponents, client.user.value?.id);
  useEffect(() => void relations.loadFollowsOnce().catch(() => undefined), [relations, table]);
  if (sent.error !== null) return <LoadError error={sent.error} onRetry={sent.retry} />;
  if (sent.value === null || (opponents.value === null && opponents.error === null)) return <p class="quiet" aria-busy="true" />;
  const all = sent.value;
  // An invited player who has taken a seat is no longer among the invited ones.
  const invited = all.filter(({ user }) => !seated.has(user.id));
  const others = candidates(
    [...relations.follows.value, ...(opponents.value ?? [])].map(({ user }) => user),
    new Set([...seated, ...invited.map(({ user }) => user.id)]),
  );
  const invite = async (user: UserView): Promise<void> => {
    await client.api.invite(table, { user: user.id });
    // An invitation that was declined meanwhile stays declined.
    sent.set((await client.api.sentInvitations(table)).invitations);
  };
  const withdraw = async (user: UserView): Promise<void> => {
    await client.api.withdrawInvitation(table, user.id);
    sent.set(all.filter((one) => one.user.id !== user.id));
  };
  const run = (action: (user: UserView) => Promise<void>, user: UserView): void => void action(user).catch((failure: unknown) => client.report(failure));
  if (invited.length === 0 && others.length === 0) return <p class="quiet">{words.noPlayers}</p>;
  return (
    <ul>
      {invited.map((invitation) => (
        <InvitedPlayer key={invitation.user.id} invitation={invitation} onWithdraw={(user) => run(withdraw, user)} />
      ))}
      {others.map((user) => (
        <li key={user.id}>
          <span class="invited-name">
            <UserName user={user} />
          </span>
          <button type="button" class="button small" data-testid={`invite-${user.id}`} aria-label={words.invite(nameOf(user))} onClick={() => run(invite, user)}>
            {words.inviteShort}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** An invited player, whose invitation can be withdrawn until it is declined. */
function InvitedPlayer({ invitation, onWithdraw }: { invitation: SentInvitation; onWithdraw: (user: UserView) => void }): JSX.Element {
  const words = text.invitations;
  const { user, declined = false } = invitation;
  return (
    <li data-testid="invited-player" data-declined={declined}>
      <span class="invited-name">
        <UserName user={user} />
        <span class="quiet invited-state">{declined ? words.declined : words.invited}</span>
      </span>
      {!declined && (
        <button type="button" class="button small" data-testid={`withdraw-${user.id}`} aria-label={words.withdrawFrom(nameOf(user))} onClick={() => onWithdraw(user)}>
          {words.withdraw}
        </button>
      )}
    </li>
  );
}

/** Returns the first of these users, each once, without the ones to leave out. */
function candidates(users: readonly UserView[], without: ReadonlySet<string | undefined>): UserView[] {
  const found = users.filter(({ id, bot }) => !without.has(id) && (bot === undefined || bot.kind === 'account')).map((user) => [user.id, user] as const);
  return [...new Map(found).values()].slice(0, MAX_LISTED);
}
