import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * Distance beyond the window's edge at which an element counts as visible, so that it is loaded
 * before it is scrolled to.
 */
const MARGIN = '120px';

/**
 * Returns whether an element is in or near the window; if the browser cannot say, every element
 * counts as visible.
 */
export function useInViewport(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    if (!('IntersectionObserver' in globalThis)) {
      setSeen(true);
      return undefined;
    }
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting === true), {
      rootMargin: MARGIN,
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return seen;
}

/** Calls back whenever the tab is hidden or shown, and at first. */
export function useTabShown(onChange: (shown: boolean) => void): void {
  useEffect(() => {
    const report = (): void => onChange(document.visibilityState === 'visible');
    report();
    document.addEventListener('visibilitychange', report);
    return () => document.removeEventListener('visibilitychange', report);
  }, [onChange]);
}
