import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * The distance from the window within which an element counts as visible, so that it is loaded
 * before the user scrolls to it.
 */
const MARGIN = '120px';

/**
 * Returns whether an element is in or near the window. In a browser that cannot observe this, every
 * element counts as visible. Until the first observation the result is `initially`.
 */
export function useInViewport(element: RefObject<Element | null>, initially = false): boolean {
  const [isVisible, setSeen] = useState(initially);
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
  return isVisible;
}

/** Reports whether the tab is visible, at first and after each change. */
export function useTabVisibility(onChange: (isVisible: boolean) => void): void {
  useEffect(() => {
    const report = (): void => onChange(document.visibilityState === 'visible');
    report();
    document.addEventListener('visibilitychange', report);
    return () => document.removeEventListener('visibilitychange', report);
  }, [onChange]);
}
