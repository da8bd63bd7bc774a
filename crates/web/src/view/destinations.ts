import type { Catalogue } from '../text/index.ts';
import type { Page } from './router.ts';

/** A page that one can go to from everywhere. */
export interface Destination {
  readonly kind: Page['kind'];
  readonly path: string;
  readonly word: keyof Catalogue['nav'];
}

/** Destinations of the header and the menu, in their order. */
export const DESTINATIONS: readonly Destination[] = [
  { kind: 'lobby', path: '/', word: 'play' },
  { kind: 'archive', path: '/archive', word: 'archive' },
  { kind: 'analysis', path: '/analysis', word: 'analysis' },
  { kind: 'rules', path: '/rules', word: 'rules' },
];

/** The value of `aria-current` for a link to this kind of page. */
export function current(kind: Page['kind'], shown: Page['kind']): 'page' | undefined {
  return kind === shown ? 'page' : undefined;
}
