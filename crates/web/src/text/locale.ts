import type { Language } from './index.ts';

/** How numbers and dates are written in a language where the reader lives: `en-GB` for who asks for that, else `en`. */
export function localeOf(language: Language): string {
  const own = (navigator.languages ?? []).find((tag) => tag.toLowerCase().split('-')[0] === language);
  return own ?? language;
}
