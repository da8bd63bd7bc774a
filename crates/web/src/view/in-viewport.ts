import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** How far beyond the window's edge something counts as seen, so that it is there when it is scrolled to. */
const MARGIN = '120px';

/** Whether an element is in the window or nearly so; where the browser cannot say, every element counts as seen. */
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
    const tell = (): void => onChange(document.visibilityState === 'visible');
    tell();
    document.addEventListener('visibilitychange', tell);
    return () => document.removeEventListener('visibilitychange', tell);
  }, [onChange]);
}
