import { type Variant, VARIANT_FACTS, type VariantFacts } from '../protocol/generated.ts';
import { withFallback } from './with-fallback.ts';

/** A variant as people read of it. */
export interface VariantText {
  readonly name: string;
  readonly blurb: string;
}

/**
 * The texts of all variants. A variant that has no name in the language has its English title. The
 * descriptions are generated from the facts of the variants. `unknown` is the name of others.
 */
export function variantTexts(
  names: { readonly [variant in Variant]?: string },
  blurb: (players: number, board: VariantFacts['board'], squares: number) => string,
  unknown: string,
): Record<Variant, VariantText> {
  const texts = Object.entries(VARIANT_FACTS).map(([variant, { title, seats, board }]) => {
    const squares = board.files * board.ranks - 4 * board.corner * board.corner;
    return [variant, { name: names[variant as Variant] ?? title, blurb: blurb(seats.length, board, squares) }];
  });
  return withFallback(Object.fromEntries(texts) as Record<Variant, VariantText>, { name: unknown, blurb: '' });
}
