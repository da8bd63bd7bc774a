import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { InvitationView } from '../../protocol/generated.ts';
import { nameOf } from '../../text/name-of.ts';
import { text } from '../../text/index.ts';
import { timeControlText, unusualSettings } from '../../text/settings.ts';
import { useClient } from '../context.ts';
import { notify as showNotification } from '../notifications.ts';
import { InvitationAnswers } from './invitation-answers.tsx';

/** Returns the game, the clocks and the unusual settings of the table of an invitation. */
export function invitationGame({ table: { settings }, seat }: InvitationView): string {
  return [text.variants[settings.variant].name, timeControlText(settings), ...unusualSettings(settings), ...(seat === undefined ? [] : [text.links.seat(seat)])].join(' · ');
}

/** The newest invitation, on every page. */
export function InvitationNotice(): JSX.Element {
  const { invitations } = useClient();
  const invitation = invitations.newest.value;
  useNotification(invitation);
  return (
    <div class="invitation-place" role="status">
      {invitation !== null && (
        <section key={invitation.table.table} class="invitation-notice" data-testid="invitation" aria-label={text.invitations.from(nameOf(invitation.from))}>
          <p class="invitation-text">
            <strong>{text.invitations.from(nameOf(invitation.from))}</strong>
            <span class="invitation-game">{invitationGame(invitation)}</span>
          </p>
          <InvitationAnswers invitation={invitation} />
          <button type="button" class="notice-close" data-testid="invitation-later" aria-label={text.invitations.later} title={text.invitations.later} onClick={() => invitations.putAside(invitation)}>
            ×
          </button>
        </section>
      )}
    </div>
  );
}

/** Shows a notification of an invitation that arrives while the page is hidden. */
function useNotification(invitation: InvitationView | null): void {
  const { preferences } = useClient();
  const shown = useRef<number>(0);
  useEffect(() => {
    if (invitation === null || invitation.invited_at_ms <= shown.current) return;
    shown.current = invitation.invited_at_ms;
    if (!document.hidden || !preferences.notify.value) return;
    const title = text.invitations.from(nameOf(invitation.from));
    void showNotification({ title, body: invitationGame(invitation), tag: invitation.table.table, path: '/' }, () => window.focus());
  }, [invitation, preferences]);
}
