/**
 * Shows another address for the page that is open, in place of the one it has. Browsers may refuse that, Safari after a
 * hundred within half a minute: then the address stays as it is.
 */
export function replaceAddress(history: History, path: string): void {
  try {
    history.replaceState(history.state, '', path);
  } catch (error) {
    console.warn('the address could not be changed', error);
  }
}
