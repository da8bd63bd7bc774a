import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { text } from '../text/index.ts';

/** The interval of the title's changes while the page is hidden and the user is called, in milliseconds. */
const FLASH_MS = 1_000;

/** The title of the page; `null` shows the brand alone. */
const title = signal<string | null>(null);
/** The words of a call to another page, which come before the title. */
const alert = signal<string | null>(null);
const isFlashing = signal(false);

/** Keeps the title in the browser's tab up to date from now on. */
export function followTitle(): () => void {
  return effect(() => {
    const own = title.value ?? text.brand;
    if (alert.value === null) document.title = own;
    else document.title = isFlashing.value ? `▶▶ ${alert.value}` : `● ${alert.value} · ${own}`;
  });
}

/** Sets the title of the page; `null` shows the brand alone. */
export function setTitle(shown: string | null): void {
  title.value = shown;
}

/** Names the page in the browser's tab while it is shown. */
export function useTitle(name: string): void {
  const { brand } = text;
  useEffect(() => {
    setTitle(`${name} · ${brand}`);
    return () => setTitle(null);
  }, [name, brand]);
}

/** Calls the user in the title and by the icon of the tab while there are words. */
export function useTitleAlert(words: string | null): void {
  useEffect(() => {
    alert.value = words;
    isFlashing.value = false;
    showBadge(words !== null);
    if (words === null) return undefined;
    const timer = setInterval(() => {
      isFlashing.value = document.hidden && !isFlashing.peek();
    }, FLASH_MS);
    return () => {
      clearInterval(timer);
      alert.value = null;
      showBadge(false);
    };
  }, [words]);
}

/** Shows the icon of the tab with or without a badge. */
function showBadge(isShown: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  icon?.setAttribute('href', isShown ? '/favicon-badge.svg' : '/favicon.svg');
}
