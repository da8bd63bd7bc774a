import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { SentInvitation, TableId, UserView } from '../../protocol/generated.ts';
import type { Api } from '../../store/api.ts';
import { nameOf } from '../../text/name-of.ts';
import { text } from '../../text/index.ts';
import { timeControlText } from '../../text/settings.ts';
import { useClient } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { NewTableDialog } from '../lobby/new-table-dialog.tsx';
import { useLoaded } from '../use-loaded.ts';
import { VariantEmblem } from '../variant-emblem.tsx';
import { hostedTables, invitedPlayer } from './invite-player.ts';

/** The dialog that invites a player to an open table of the user or to a new one, if it is open. */
export function InviteDialog(): JSX.Element | null {
  const invited = invitedPlayer.value;
  return invited === null ? null : <OpenDialog key={invited.id} invited={invited} />;
}

function OpenDialog({ invited }: { invited: UserView }): JSX.Element {
  const client = useClient();
  const words = text.invitations;
  const name = nameOf(invited);
  const tables = hostedTables(client.ownTables.value, client.user.value, invited);
  const [isNew, setNew] = useState(tables.length === 0);
  const sent = useLoaded(
    async () => new Map(await Promise.all(tables.map(async ({ table }) => [table, await invitationTo(client.api, table, invited)] as const))),
    tables.map(({ table }) => table).join(),
  );
  // The browser reports the end of the first dialog after the second one has opened.
  const isReplaced = useRef(false);
  const close = (): void => {
    invitedPlayer.value = null;
  };
  const createTable = (): void => {
    isReplaced.current = true;
    setNew(true);
  };
  const invite = async (table: TableId): Promise<void> => {
    try {
      await client.api.invite(table, { user: invited.id });
      client.notify({ kind: 'invited', names: [name] });
      close();
    } catch (failure) {
      client.report(failure);
    }
  };
  if (isNew) return <NewTableDialog title={words.invite(name)} invited={invited} onClose={close} />;
  return (
    <Dialog title={words.invite(name)} onClose={() => isReplaced.current || close()}>
      <ul class="invite-tables">
        {tables.map(({ table, settings, seats }) => {
          const invitation = sent.value?.get(table);
          return (
            <li key={table}>
              <button type="button" class="button" data-testid="invite-to-table" data-table={table} disabled={invitation !== undefined} onClick={() => void invite(table)}>
                <VariantEmblem variant={settings.variant} seats={seats} />
                <span>
                  {words.toTable(settings.variant, timeControlText(settings))}
                  {invitation !== undefined && <span class="invited-state">{invitation.declined === true ? words.declined : words.invited}</span>}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <div class="buttons align-end">
        <button type="button" class="button" onClick={close}>
          {text.cancel}
        </button>
        <button type="button" class="button primary" data-testid="invite-to-new" onClick={createTable}>
          {text.lobby.newTable}
        </button>
      </div>
    </Dialog>
  );
}

/** Returns the invitation of a user to a table, if there is one. A declined one stays. */
async function invitationTo(api: Pick<Api, 'sentInvitations'>, table: TableId, invited: UserView): Promise<SentInvitation | undefined> {
  const { invitations } = await api.sentInvitations(table);
  return invitations.find(({ user }) => user.id === invited.id);
}
