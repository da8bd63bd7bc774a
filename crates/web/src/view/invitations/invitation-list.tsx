import type { JSX } from 'preact';
import type { InvitationView } from '../../protocol/generated.ts';
import { nameOf } from '../../text/name-of.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { UserName } from '../user-name.tsx';
import { VariantEmblem } from '../variant-emblem.tsx';
import { InvitationAnswers } from './invitation-answers.tsx';
import { invitationGame } from './invitation-notice.tsx';

/** The invitations of the user, on the first page. */
export function InvitationList(): JSX.Element | null {
  const { list } = useClient().invitations;
  if (list.value.length === 0) return null;
  return (
    <section class="tables" data-testid="invitations">
      <h2>{text.invitations.title}</h2>
      <ul class="rows">
        {list.value.map((invitation) => (
          <InvitationRow key={invitation.table.table} invitation={invitation} />
        ))}
      </ul>
    </section>
  );
}

function InvitationRow({ invitation }: { invitation: InvitationView }): JSX.Element {
  const { table, from } = invitation;
  const others = table.seats.flatMap(({ user }) => (user === null || user.id === from.id ? [] : [nameOf(user)]));
  return (
    <li class="row invitation-row" data-testid="invitation-row" data-table={table.table}>
      <VariantEmblem variant={table.settings.variant} seats={table.seats} />
      <div class="row-details">
        <p>
          <a class="row-name" href={`/u/${from.id}`}>
            <UserName user={from} />
          </a>
          {text.invitations.invitesYou}
        </p>
        <p class="quiet">{[invitationGame(invitation), ...(others.length === 0 ? [] : [text.invitations.with(others)])].join(' · ')}</p>
      </div>
      <InvitationAnswers invitation={invitation} />
    </li>
  );
}
