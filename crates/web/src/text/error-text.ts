import { Refusal } from '../connection/outbox.ts';
import { text } from './index.ts';

/** Returns the text of an error in the user's language. */
export function errorText(error: Error): string {
  if (error instanceof Refusal) return text.refusal(error.code, error.message);
  // The messages of `fetch` errors are for programmers and differ between browsers.
  return error instanceof TypeError ? text.serverUnreachable : error.message;
}
