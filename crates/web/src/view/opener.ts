/** The elements that had the focus before each open dialog. */
const openers = new WeakMap<Element, HTMLElement>();

/** The last element that had the focus. It stays known while the element is disabled, which takes the focus from it. */
let lastFocused: HTMLElement | null = null;

/** Records from now on which element has the focus. */
export function followFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    lastFocused = target instanceof HTMLElement ? target : null;
  });
}

/**
 * Records the element from which a dialog is opened. If this is an element of another dialog, which
 * closes now, it is the element from which that one was opened.
 */
export function rememberOpener(dialog: Element): void {
  const { activeElement } = document;
  // A disabled button loses the focus, for example while a question delays its action.
  const wasDisabled = lastFocused?.matches(':disabled') === true;
  const active = activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : wasDisabled ? lastFocused : null;
  const outer = active?.closest('dialog') ?? null;
  const opener = outer === null ? active : openers.get(outer);
  if (opener !== null && opener !== undefined) openers.set(dialog, opener);
}

/**
 * Gives the focus back to the element from which a closed dialog was opened, unless the browser or
 * the user has given it to another element. A disabled element gets it as soon as it is enabled.
 */
export function returnFocus(dialog: Element): void {
  const opener = openers.get(dialog);
  if (opener === undefined || !isFocusLost()) return;
  opener.focus();
  if (!opener.matches(':disabled')) return;
  const observer = new MutationObserver(() => {
    if (opener.matches(':disabled')) return;
    observer.disconnect();
    if (isFocusLost()) opener.focus();
  });
  observer.observe(opener, { attributes: true, attributeFilter: ['disabled'] });
}

/** Returns whether no element of the page has the focus, except elements that were removed. */
export function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches(':disabled');
}
