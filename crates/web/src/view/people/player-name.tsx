import type { ComponentChildren, JSX } from 'preact';
import type { UserView } from '../../protocol/generated.ts';
import type { Moment } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { useClient } from '../context.ts';
import { hasDialog, openPlayer } from './open-player.ts';

interface PlayerNameProps {
  readonly user: UserView;
  /** The moment of the match that is shown, for a report. */
  readonly moment: Moment | null;
  readonly children: ComponentChildren;
}

/** The name of a user, which opens the dialog about the user. */
export function PlayerName({ user, moment, children }: PlayerNameProps): JSX.Element {
  const viewer = useClient().user.value;
  if (!hasDialog(user, viewer)) return <>{children}</>;
  return (
    <button
      type="button"
      class="player-name"
      data-testid={`player-${user.id}`}
      aria-haspopup="dialog"
      title={text.people.open(nameOf(user))}
      onClick={() => {
        openPlayer.value = { user, moment };
      }}
    >
      {children}
    </button>
  );
}
