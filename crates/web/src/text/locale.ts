import type { Language } from './index.ts';

/**
 * Returns the locale for numbers and dates in a language: `en-GB` for users who prefer it, else
 * `en`.
 */
export function localeOf(language: Language): string {
  const own = (navigator.languages ?? []).find((tag) => tag.toLowerCase().split('-')[0] === language);
  return own ?? language;
}
