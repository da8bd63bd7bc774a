import { replaceAddress } from './address.ts';

/**
 * Removes the code of a failed sign-in with another service from the address and returns it. The
 * server has sent the browser back to that address. Returns `null` if there is no code.
 */
export function takeSignInFailure(page: Location, history: History): string | null {
  const code = new URLSearchParams(page.hash.slice(1)).get('sign-in-failed');
  if (code !== null) replaceAddress(history, page.pathname + page.search);
  return code;
}
