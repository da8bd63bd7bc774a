import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { text } from '../text/index.ts';

/**
 * The interval at which the title changes while the page is hidden and the user is called, in
 * milliseconds.
 */
const FLASH_MS = 1_000;

/** The title of the page; `null` shows the brand alone. */
const title = signal<string | null>(null);
/** A call to another page, which comes before the title. */
interface Alert {
  readonly words: string;
  /** The number of matches to which the user is called. */
  readonly count: number;
}

const alert = signal<Alert | null>(null);
const isFlashing = signal(false);
/** Set while the page is hidden and it is the user's turn at the displayed table. */
const isTurnHidden = signal(false);

effect(() => {
  const own = title.value ?? text.brand;
  if (alert.value === null) document.title = own;
  else {
    const { words, count } = alert.value;
    document.title = isFlashing.value ? `▶▶ ${words}` : `${count > 1 ? `(${count})` : '●'} ${words} · ${own}`;
  }
});

effect(() => {
  const hasBadge = alert.value !== null || isTurnHidden.value;
  const [icon, href] = [document.querySelector('link[rel="icon"]'), hasBadge ? '/favicon-badge.svg' : '/favicon.svg'];
  // Browsers load the icon again even if the address stays the same.
  if (icon?.getAttribute('href') !== href) icon?.setAttribute('href', href);
});

/** Sets the title of the page; `null` shows the brand alone. */
export function setTitle(newTitle: string | null): void {
  title.value = newTitle;
}

/**
 * Sets whether the icon of the tab has a badge. It has one while the page is hidden and it is the
 * user's turn at the displayed table.
 */
export function setTurnBadge(isShown: boolean): void {
  isTurnHidden.value = isShown;
}

/** Sets the title of the page while the component is on the page. */
export function useTitle(name: string): void {
  const { brand } = text;
  useEffect(() => {
    setTitle(`${name} · ${brand}`);
    return () => setTitle(null);
  }, [name, brand]);
}

/**
 * Calls the user to a number of matches by the title and by the icon of the tab, as long as `words`
 * is not `null`.
 */
export function useTitleAlert(words: string | null, count: number): void {
  useEffect(() => {
    alert.value = words === null ? null : { words, count };
    isFlashing.value = false;
    if (words === null) return undefined;
    const timer = setInterval(() => {
      isFlashing.value = document.hidden && !isFlashing.peek();
    }, FLASH_MS);
    return () => {
      clearInterval(timer);
      alert.value = null;
    };
  }, [words, count]);
}
