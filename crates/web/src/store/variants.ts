import { DEFAULT_VARIANT, type Variant, VARIANT_FACTS, type VariantFacts } from '../protocol/generated.ts';

export { DEFAULT_VARIANT } from '../protocol/generated.ts';

/** All variants in the order in which they are offered: variants with more players come first. */
export const VARIANTS: readonly Variant[] = (Object.keys(VARIANT_FACTS) as Variant[])
  .toSorted((one, other) => playerCount(other) - playerCount(one));

/** Returns the facts of a variant. A variant of a later version has those of the default variant. */
export function factsOf(variant: Variant): VariantFacts {
  return Object.hasOwn(VARIANT_FACTS, variant) ? VARIANT_FACTS[variant] : VARIANT_FACTS[DEFAULT_VARIANT];
}

/** Returns the number of players of a variant. */
export function playerCount(variant: Variant): number {
  return factsOf(variant).seats.length;
}

/** Returns the notations of a variant's games and positions. */
export function notationsOf(variant: Variant): { readonly game: 'PGN' | 'PGN4'; readonly position: 'FEN' | 'FEN4' } {
  const game = factsOf(variant).notation;
  return { game, position: game === 'PGN' ? 'FEN' : 'FEN4' };
}
