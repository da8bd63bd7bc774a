import { setCatalogue, type Catalogue, type Language } from './index.ts';
import { en } from './en/index.ts';

interface LanguageInfo {
  /** The language's name for itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /**
   * Loads the catalogue. English is part of the client; other languages are fetched when they are
   * needed.
   */
  readonly load: () => Promise<Catalogue>;
}

/** All languages, in the order in which they are offered. */
export const LANGUAGES: Readonly<Record<Language, LanguageInfo>> = {
  en: { name: 'English', direction: 'ltr', load: () => Promise.resolve(en) },
  de: { name: 'Deutsch', direction: 'ltr', load: async () => (await import('./de/index.ts')).de },
};

/** Returns the first supported language of a list of tags, or English. */
export function bestLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const primary = tag.toLowerCase().split('-')[0] ?? '';
    if (Object.hasOwn(LANGUAGES, primary)) return primary as Language;
  }
  return 'en';
}

/** The last chosen language. A catalogue of an earlier choice may arrive later and is ignored. */
let chosenLanguage: Language = 'en';

/**
 * Displays all texts in a language once its catalogue is loaded. If loading fails, the language
 * stays as it is.
 */
export async function chooseLanguage(language: Language): Promise<void> {
  chosenLanguage = language;
  const { direction, load } = LANGUAGES[language];
  const words = await load().catch(() => null);
  if (words === null || chosenLanguage !== language) return;
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  setCatalogue(words);
}
