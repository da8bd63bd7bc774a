import { signal } from '@preact/signals';
import { en } from './en/index.ts';

/** The texts of a language. */
export type Catalogue = typeof en;

const catalogue = signal<Catalogue>(en);

/**
 * The texts in the chosen language. A component that reads them while it is rendered is rendered
 * again when the language changes. Modules must not store texts when they are loaded.
 */
export const text: Catalogue = new Proxy(en, {
  get: (_, noun) => Reflect.get(catalogue.value, noun) as unknown,
});

/** Replaces the catalogue of displayed texts. */
export function setCatalogue(words: Catalogue): void {
  catalogue.value = words;
}
