import type { JSX } from 'preact';
import { isInvalidLink } from '../../store/mail-secret.ts';
import type { NotificationsApi } from '../../store/notifications-api.ts';
import { text } from '../../text/index.ts';
import { LoadError } from '../load-error.tsx';
import { useLoaded } from '../use-loaded.ts';
import { MailResult } from './mail-result.tsx';

/** Confirms an address at once and shows the result. */
export function Confirmation({ secret, api }: { secret: string; api: NotificationsApi }): JSX.Element {
  const words = text.mailPage;
  const { value: isConfirmed, error, retry } = useLoaded(async () => {
    await api.confirmMail(secret);
    return true;
  }, secret);
  if (isConfirmed === true) return <MailResult words={words.confirmed} />;
  if (error === null) return <p aria-busy="true">{words.confirming}</p>;
  return isInvalidLink(error) ? <MailResult words={words.invalidLink} isError /> : <LoadError error={error} onRetry={retry} />;
}
