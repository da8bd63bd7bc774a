/**
 * Replaces the address of the open page without a new entry in the history. If the browser refuses
 * this, the address stays as it is. Safari refuses after a hundred changes within 30 seconds.
 */
export function replaceAddress(history: History, address: string): void {
  try {
    history.replaceState(history.state, '', address);
  } catch (error) {
    console.warn('the address could not be changed', error);
  }
}
