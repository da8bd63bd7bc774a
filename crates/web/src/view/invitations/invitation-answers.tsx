import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { InvitationView } from '../../protocol/generated.ts';
import { nameOf } from '../../text/name-of.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { goTo, page } from '../router.ts';

/** The buttons that accept or decline an invitation. */
export function InvitationAnswers({ invitation }: { invitation: InvitationView }): JSX.Element {
  const client = useClient();
  const words = text.invitations;
  const name = nameOf(invitation.from);
  const [isBusy, setBusy] = useState(false);
  const answer = async (send: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await send();
    } catch (failure) {
      client.report(failure);
      setBusy(false);
    }
  };
  const accept = async (): Promise<void> => openTable(await client.invitations.accept(invitation), invitation);
  return (
    <span class="buttons invitation-answers">
      <button type="button" class="button small primary" data-testid="invitation-accept" aria-label={words.acceptFrom(name)} disabled={isBusy} onClick={() => void answer(accept)}>
        {words.accept}
      </button>
      <button
        type="button"
        class="button small"
        data-testid="invitation-decline"
        aria-label={words.declineFrom(name)}
        disabled={isBusy}
        onClick={() => void answer(() => client.invitations.decline(invitation))}
      >
        {words.decline}
      </button>
    </span>
  );
}

/** Opens the table of an invitation. If its page is open, the page reads the link from the address. */
function openTable(path: string, { table: { table } }: InvitationView): void {
  if (page.value.kind === 'table' && page.value.table === table) location.assign(path);
  else goTo(path);
}
