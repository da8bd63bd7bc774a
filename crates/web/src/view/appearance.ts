import { effect } from '@preact/signals';
import type { Preferences } from '../store/preferences.ts';
import { followMedia, matchesMedia } from './media.ts';
import { bestLanguage, chooseLanguage } from '../text/languages.ts';

const MORE_CONTRAST = '(prefers-contrast: more)';

/**
 * Lets the whole page look as the user likes from now on: styles read the choices from attributes of the root element.
 * Resolves once the words of the language are there.
 */
export function followPreferences(preferences: Preferences): Promise<void> {
  const root = document.documentElement;
  const dress = (): void => {
    const theme = preferences.theme.value;
    root.dataset['theme'] = theme === 'system' && matchesMedia(MORE_CONTRAST) ? 'contrast' : theme;
    const page = getComputedStyle(root).backgroundColor;
    // The bar of the browser or the device around the page.
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) meta.content = page;
  };
  effect(dress);
  followMedia(MORE_CONTRAST, dress);
  followMedia('(prefers-color-scheme: dark)', dress);
  effect(() => {
    root.dataset['palette'] = preferences.palette.value;
    root.dataset['letters'] = shown(preferences.letters.value);
    root.dataset['coordinates'] = shown(preferences.coordinates.value);
    root.dataset['motion'] = preferences.motion.value;
  });
  let spoken = Promise.resolve();
  effect(() => {
    const language = preferences.language.value;
    spoken = chooseLanguage(language === 'auto' ? bestLanguage(navigator.languages ?? []) : language);
  });
  return spoken;
}

function shown(yes: boolean): string {
  return yes ? 'shown' : 'hidden';
}
