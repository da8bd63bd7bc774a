import { type Language, LANGUAGES } from '../store/languages.ts';
import { setCatalogue, type Catalogue } from './index.ts';
import { en } from './en/index.ts';

/**
 * Loads the catalogue of a language. English is part of the client; other languages are fetched
 * when they are needed.
 */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  if (language === 'en') return en;
  const folder = (await import(`./${language}/index.ts`)) as Readonly<Record<Language, Catalogue>>;
  return folder[language];
}

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

/** Returns the chosen language. */
export function currentLanguage(): Language {
  return chosenLanguage;
}

/**
 * Displays all texts in a language once its catalogue is loaded. If loading fails, the language
 * stays as it is.
 */
export async function chooseLanguage(language: Language): Promise<void> {
  chosenLanguage = language;
  const words = await loadCatalogue(language).catch(() => null);
  if (words === null || chosenLanguage !== language) return;
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
  setCatalogue(words);
}
