import { Refusal } from '../connection/outbox.ts';
import { replaceAddress } from './address.ts';

/** Removes the secret of a link in a mail from the address bar and returns it. */
export function takeMailSecret(page: Location, history: History): string {
  const secret = page.hash.slice(1);
  if (secret !== '') replaceAddress(history, page.pathname + page.search);
  return secret;
}

/** Returns whether the server does not know the secret of a link in a mail, or not any more. */
export function isInvalidLink(error: Error): boolean {
  return error instanceof Refusal && error.code === 'bad_mail_link';
}
