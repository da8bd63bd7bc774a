import type { Speed, Variant } from '../protocol/generated.ts';
import { SPEEDS } from './ratings.ts';
import { VARIANTS } from './variants.ts';

/** Returns the variant in the query of an address. */
export function variantFrom(query: URLSearchParams): Variant | null {
  const value = query.get('variant');
  return VARIANTS.find((variant) => variant === value) ?? null;
}

/** Returns the speed in the query of an address. */
export function speedFrom(query: URLSearchParams): Speed | null {
  const value = query.get('speed');
  return SPEEDS.find((speed) => speed === value) ?? null;
}

/** Returns the number of moves in the query of an address. */
export function plyFrom(query: URLSearchParams): number | null {
  const value = query.get('ply');
  return value !== null && /^\d{1,5}$/.test(value) ? Number(value) : null;
}
