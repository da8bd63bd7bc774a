import type { JSX } from 'preact';
import { httpNotificationsApi, type NotificationsApi } from '../../store/notifications-api.ts';
import { text } from '../../text/index.ts';
import { useTitle } from '../title.ts';
import { Confirmation } from './confirmation.tsx';
import { MailResult } from './mail-result.tsx';
import { Unsubscription } from './unsubscription.tsx';
import { useMailSecret } from './use-mail-secret.ts';

interface MailPageProps {
  readonly action: 'confirm' | 'unsubscribe';
  readonly api?: NotificationsApi;
}

/** The page that a link in a mail opens: it confirms an address, or ends the mails to it. */
export function MailPage({ action, api = httpNotificationsApi }: MailPageProps): JSX.Element {
  const words = text.mailPage;
  const title = action === 'confirm' ? words.confirmTitle : words.unsubscribeTitle;
  useTitle(title);
  const secret = useMailSecret();
  const Action = action === 'confirm' ? Confirmation : Unsubscription;
  return (
    <main id="content" class="page account-page">
      <div class="page-head">
        <h1>{title}</h1>
      </div>
      {secret === '' ? <MailResult words={words.invalidLink} isError /> : <Action key={secret} secret={secret} api={api} />}
    </main>
  );
}
