import { useEffect, useRef } from 'preact/hooks';
import type { Page } from './router.ts';

/** The selector of an element that a page declares as the target of the focus. */
const TARGET = 'main [data-arrival]';
const HEADING = 'main h1';

/**
 * Moves the focus, and with it a screen reader, to the heading of each opened page, as if the page
 * had been loaded. The first page needs no focus, because the browser itself starts at its top.
 */
export function useHeadingFocus(page: Page): void {
  const first = useRef(page);
  useEffect(() => {
    if (first.current === page) return undefined;
    const focusedBefore = document.activeElement;
    if (focusHeading(focusedBefore)) return undefined;
    // The page's code or data is still loading.
    const watcher = new MutationObserver(() => {
      if (focusHeading(focusedBefore)) watcher.disconnect();
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    return () => watcher.disconnect();
  }, [page]);
}

/**
 * Focuses the heading unless the user has focused another element meanwhile. Returns whether the
 * page has a heading yet.
 */
function focusHeading(focusedBefore: Element | null): boolean {
  const heading = document.querySelector<HTMLElement>(TARGET) ?? document.querySelector<HTMLElement>(HEADING);
  if (heading === null) return false;
  const focused = document.activeElement;
  if (focused === null || focused === document.body || focused === focusedBefore) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  return true;
}
