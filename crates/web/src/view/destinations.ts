import type { Catalogue } from '../text/index.ts';
import type { Page } from './router.ts';

/** A page that is linked from every page. */
export interface Destination {
  readonly kind: Page['kind'];
  readonly path: string;
  readonly label: keyof Catalogue['nav'];
}

/** The links of the header and the menu, in their order. */
export const DESTINATIONS: readonly Destination[] = [
  { kind: 'lobby', path: '/', label: 'play' },
  { kind: 'archive', path: '/archive', label: 'archive' },
  { kind: 'ratings', path: '/ratings', label: 'ratings' },
  { kind: 'analysis', path: '/analysis', label: 'analysis' },
  { kind: 'rules', path: '/rules', label: 'rules' },
];

/** Returns the `aria-current` value of a link to a kind of page. */
export function ariaCurrent(kind: Page['kind'], currentPage: Page['kind']): 'page' | undefined {
  return kind === currentPage ? 'page' : undefined;
}
