import type { Language } from '../store/languages.ts';

/**
 * The forms of a word by the plural category of a number (CLDR). `other` is used for a category
 * without its own form.
 */
export type PluralForms = { readonly other: string } & { readonly [Category in Intl.LDMLPluralRule]?: string };

/** Returns the function that selects the form of a word for a number in a language. */
export function pluralForms(language: Language): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(language);
  return (count, forms) => forms[rules.select(count)] ?? forms.other;
}
