import type { Variant } from '../protocol/generated.ts';

/** All variants, in the order in which they are offered. */
export const VARIANTS: readonly Variant[] = ['dilkel', 'dilkel-compact', 'classic'];

/** The variant of addresses and requests that name none. */
export const DEFAULT_VARIANT: Variant = 'dilkel';

/** Returns the number of players of a variant. */
export function playerCount(variant: Variant): number {
  return variant === 'classic' ? 2 : 4;
}

/** Returns the notations of a variant's games and positions. */
export function notationsOf(variant: Variant): { readonly game: 'PGN' | 'PGN4'; readonly position: 'FEN' | 'FEN4' } {
  return playerCount(variant) === 2 ? { game: 'PGN', position: 'FEN' } : { game: 'PGN4', position: 'FEN4' };
}
