import { effect } from '@preact/signals';
import type { Preferences } from '../store/preferences.ts';
import { followMedia, matchesMedia } from './media.ts';
import { bestLanguage, chooseLanguage } from '../text/languages.ts';

const MORE_CONTRAST = '(prefers-contrast: more)';

/**
 * Applies the preferences to the whole page from now on. Styles select them by attributes of the
 * root element. Resolves once the texts of the language are loaded.
 */
export function followPreferences(preferences: Preferences): Promise<void> {
  const root = document.documentElement;
  const applyTheme = (): void => {
    const theme = preferences.theme.value;
    root.dataset['theme'] = theme === 'system' && matchesMedia(MORE_CONTRAST) ? 'contrast' : theme;
    const background = getComputedStyle(root).backgroundColor;
    // Browsers and devices use this color for their bars around the page.
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) meta.content = background;
  };
  effect(applyTheme);
  followMedia(MORE_CONTRAST, applyTheme);
  followMedia('(prefers-color-scheme: dark)', applyTheme);
  effect(() => {
    root.dataset['palette'] = preferences.palette.value;
    root.dataset['board'] = preferences.board.value;
    root.dataset['letters'] = visibility(preferences.letters.value);
    root.dataset['coordinates'] = visibility(preferences.coordinates.value);
    root.dataset['motion'] = preferences.motion.value;
  });
  let languageLoaded = Promise.resolve();
  effect(() => {
    const language = preferences.language.value;
    languageLoaded = chooseLanguage(language === 'auto' ? bestLanguage(navigator.languages ?? []) : language);
  });
  return languageLoaded;
}

function visibility(isShown: boolean): string {
  return isShown ? 'shown' : 'hidden';
}
