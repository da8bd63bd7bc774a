import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TableState } from '../../store/table.ts';
import { nameOf } from '../../text/name-of.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { goTo } from '../router.ts';

/**
 * The button that creates a table like that of an ended match and invites the other players, also
 * those who have left. Only players of the match have it, if they did not play alone.
 */
export function InviteAgain({ state }: { state: TableState }): JSX.Element | null {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const viewer = client.user.value?.id;
  const players = state.seats.flatMap(({ user }) => (user === null ? [] : [user]));
  const hasOthers = players.some(({ id, bot }) => id !== viewer && (bot === undefined || bot.kind === 'account'));
  if (state.state.phase !== 'ended' || !hasOthers || !players.some(({ id }) => id === viewer)) return null;
  const invite = async (): Promise<void> => {
    setBusy(true);
    try {
      const { table, invited } = await client.api.inviteAgain(state.match);
      if (invited.length > 0) client.notify({ kind: 'invited', names: invited.map(nameOf) });
      goTo(`/t/${table}`);
    } catch (failure) {
      client.report(failure);
    }
    setBusy(false);
  };
  return (
    <button type="button" class="button" data-testid="invite-again" title={text.invitations.againHint} disabled={isBusy} onClick={() => void invite()}>
      {text.invitations.again}
    </button>
  );
}
