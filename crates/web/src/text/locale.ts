import type { Language } from '../store/languages.ts';

/**
 * Returns the locale for numbers and dates in the reader's region: `en-GB` if the browser requests
 * it, else `en`.
 */
export function localeOf(language: Language): string {
  const own = (navigator.languages ?? []).find((tag) => tag.toLowerCase().split('-')[0] === language);
  return own ?? language;
}
