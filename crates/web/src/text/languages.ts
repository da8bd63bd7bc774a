import { speak, type Catalogue, type Language } from './index.ts';
import { en } from './en/index.ts';

interface About {
  /** Its own name. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** English is there at once; another language is fetched only by who reads it. */
  readonly load: () => Promise<Catalogue>;
}

/** All languages, in the order they are offered. */
export const LANGUAGES: Readonly<Record<Language, About>> = {
  en: { name: 'English', direction: 'ltr', load: () => Promise.resolve(en) },
  de: { name: 'Deutsch', direction: 'ltr', load: async () => (await import('./de/index.ts')).de },
};

/** The first of the languages somebody reads that there is. */
export function bestLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const primary = tag.toLowerCase().split('-')[0] ?? '';
    if (Object.hasOwn(LANGUAGES, primary)) return primary as Language;
  }
  return 'en';
}

/** The choice that counts, however slowly its words arrive. */
let chosen: Language = 'en';

/** Shows everything in a language, once its words are there; what cannot be fetched leaves the language as it is. */
export async function chooseLanguage(language: Language): Promise<void> {
  chosen = language;
  const { direction, load } = LANGUAGES[language];
  const words = await load().catch(() => null);
  if (words === null || chosen !== language) return;
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  speak(words);
}
