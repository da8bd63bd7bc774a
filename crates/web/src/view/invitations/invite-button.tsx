import type { JSX } from 'preact';
import type { UserView } from '../../protocol/generated.ts';
import { nameOf } from '../../text/name-of.ts';
import { text } from '../../text/index.ts';
import { invitedPlayer } from './invite-player.ts';

interface InviteButtonProps {
  readonly user: UserView;
  /** Set for a small button in a list. */
  readonly isSmall?: boolean;
  readonly onOpen?: () => void;
}

/** The button that opens the dialog in which a player is invited to a table. */
export function InviteButton({ user, isSmall = false, onOpen }: InviteButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={isSmall ? 'button small' : 'button'}
      data-testid={`invite-player-${user.id}`}
      aria-label={isSmall ? text.invitations.invite(nameOf(user)) : undefined}
      onClick={() => {
        invitedPlayer.value = user;
        onOpen?.();
      }}
    >
      {text.invitations.inviteShort}
    </button>
  );
}
