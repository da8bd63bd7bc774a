import { signal } from '@preact/signals';
import { en } from './en/index.ts';

/** The texts of a language. */
export type Catalogue = typeof en;

/** The languages there are, by their tags (BCP 47). */
export type Language = 'en' | 'de';

const catalogue = signal<Catalogue>(en);

/**
 * The words shown, in the language chosen. What reads them while it is drawn is drawn again when the language changes,
 * so nothing may keep words at the time a module is loaded.
 */
export const text: Catalogue = new Proxy(en, {
  get: (_, noun) => Reflect.get(catalogue.value, noun) as unknown,
});

/** Shows all words from this catalogue from now on. */
export function speak(words: Catalogue): void {
  catalogue.value = words;
}
