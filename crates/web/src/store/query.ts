import type { Variant } from '../protocol/generated.ts';

/** All variants, in the order in which they are offered. */
export const VARIANTS: readonly Variant[] = ['dilkel', 'dilkel-compact', 'classic'];

/** The variant of pages and requests that name none. */
export const DEFAULT_VARIANT: Variant = 'dilkel';

/** The number of players of a variant. */
export function playerCount(variant: Variant): number {
  return variant === 'classic' ? 2 : 4;
}

/** The notations of a variant's games and positions. */
export function notationsOf(variant: Variant): { readonly game: 'PGN' | 'PGN4'; readonly position: 'FEN' | 'FEN4' } {
  return playerCount(variant) === 2 ? { game: 'PGN', position: 'FEN' } : { game: 'PGN4', position: 'FEN4' };
}

/** The variant that an address names. */
export function variantIn(query: URLSearchParams): Variant | null {
  const named = query.get('variant');
  return VARIANTS.find((variant) => variant === named) ?? null;
}

/** The number of moves that an address names. */
export function plyIn(query: URLSearchParams): number | null {
  const word = query.get('ply');
  return word !== null && /^\d{1,5}$/.test(word) ? Number(word) : null;
}
