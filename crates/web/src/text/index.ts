import { en } from './en/index.ts';

/** What a language has to say. */
export type Catalogue = typeof en;

/** The words shown. */
export const text: Catalogue = en;
