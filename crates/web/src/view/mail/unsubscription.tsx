import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isInvalidLink } from '../../store/mail-secret.ts';
import type { NotificationsApi } from '../../store/notifications-api.ts';
import { errorText } from '../../text/error-text.ts';
import { text } from '../../text/index.ts';
import { useSubmission } from '../use-submission.ts';
import { MailResult } from './mail-result.tsx';

/** Asks before it ends the mails, because mail programs open links by themselves. */
export function Unsubscription({ secret, api }: { secret: string; api: NotificationsApi }): JSX.Element {
  const words = text.mailPage;
  const [isDone, setDone] = useState(false);
  const { form, isBusy, error, submit } = useSubmission();
  const unsubscribe = async (): Promise<void> => {
    await api.unsubscribeMail(secret);
    setDone(true);
  };
  if (isDone) return <MailResult words={words.unsubscribed} />;
  if (error !== null && isInvalidLink(error)) return <MailResult words={words.invalidLink} isError />;
  return (
    <form ref={form} class="form" onSubmit={(event) => submit(event, unsubscribe)}>
      <p>{words.unsubscribeHint}</p>
      <p class="field-error" role="alert">
        {error !== null && errorText(error)}
      </p>
      <div class="buttons">
        <button type="submit" class="button primary" data-testid="mail-unsubscribe" disabled={isBusy}>
          {words.unsubscribe}
        </button>
      </div>
    </form>
  );
}
