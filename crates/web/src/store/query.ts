import type { Variant } from '../protocol/generated.ts';

/** All variants, in the order in which they are offered. */
export const VARIANTS: readonly Variant[] = ['dilkel', 'dilkel-compact', 'classic'];

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
