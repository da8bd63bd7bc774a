import { useEffect, useRef } from 'preact/hooks';
import type { Page } from './router.ts';

/** Selector of the element that a page names as its target. */
const WITHIN = 'main [data-arrival]';
const HEADING = 'main h1';

/**
 * Lets the focus, and with it a screen reader, go to the heading of each page one comes to, as it would if the page had
 * been loaded anew. The first page is left alone: there the browser itself begins at the top.
 */
export function useDeepLink(page: Page): void {
  const first = useRef(page);
  useEffect(() => {
    if (first.current === page) return undefined;
    const left = document.activeElement;
    if (focusHeading(left)) return undefined;
    // The page's code or what it shows is still on its way.
    const watcher = new MutationObserver(() => {
      if (focusHeading(left)) watcher.disconnect();
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    return () => watcher.disconnect();
  }, [page]);
}

/** Says whether the heading is there; who has gone on to something else meanwhile is not called back. */
function focusHeading(left: Element | null): boolean {
  const heading = document.querySelector<HTMLElement>(WITHIN) ?? document.querySelector<HTMLElement>(HEADING);
  if (heading === null) return false;
  const now = document.activeElement;
  if (now === null || now === document.body || now === left) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  return true;
}
