import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { openPlayer, type OpenPlayer } from './open-player.ts';
import { RelationButton } from './relation-button.tsx';
import { useRelations } from './use-relations.ts';

/** The dialog about a player, if one is open. */
export function PlayerDialog(): JSX.Element | null {
  const open = openPlayer.value;
  return open === null ? null : <OpenDialog key={open.user.id} {...open} />;
}

function OpenDialog({ user }: OpenPlayer): JSX.Element {
  const words = text.people;
  const [result, setResult] = useState('');
  useRelations();
  const close = (): void => {
    openPlayer.value = null;
  };
  return (
    <Dialog title={user.name} onClose={close}>
      <div class="player-actions">
        {location.pathname !== `/u/${user.id}` && (
          <a class="button" href={`/u/${user.id}`} data-testid="player-page" onClick={close}>
            {words.profile}
          </a>
        )}
        <RelationButton kind="mutes" user={user} onDone={setResult} />
        <RelationButton kind="blocks" user={user} onDone={setResult} />
        <p role="status" data-testid="player-result">
          {result}
        </p>
      </div>
    </Dialog>
  );
}
