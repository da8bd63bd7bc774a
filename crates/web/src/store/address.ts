/**
 * Replaces the address of the open page without a new entry in the history. Browsers may refuse
 * that: Safari does after a hundred changes within 30 seconds. The address then stays as it is.
 */
export function replaceAddress(history: History, address: string): void {
  try {
    history.replaceState(history.state, '', address);
  } catch (error) {
    console.warn('the address could not be changed', error);
  }
}
