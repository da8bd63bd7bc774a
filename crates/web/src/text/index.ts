import { en } from './en.ts';

/** What a language has to say. */
export type Catalogue = typeof en;

/** The words shown. */
export const text: Catalogue = en;
