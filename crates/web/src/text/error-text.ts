import { Refusal } from '../connection/outbox.ts';
import { text } from './index.ts';

/** Returns the text of an error in the user's language. */
export function errorText(error: Error): string {
  if (error instanceof Refusal) return refusalText(error);
  // The messages of `fetch` errors are for programmers and differ between browsers.
  return error instanceof TypeError ? text.serverUnreachable : error.message;
}

function refusalText({ code, message, retryAfter_s }: Refusal): string {
  return code === 'rate_limited' && retryAfter_s !== null ? text.tooManyRequests(retryAfter_s) : text.refusal(code, message);
}
