interface LanguageInfo {
  /** The language's name for itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
}

/**
 * All languages by their tags (BCP 47), in the order in which they are offered. The texts of a
 * language are in the folder under `text` that is named after its tag.
 */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
} as const satisfies Readonly<Record<string, LanguageInfo>>;

/** The tag of a supported language. */
export type Language = keyof typeof LANGUAGES;

/** The tags of all languages. */
export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as Language[];
