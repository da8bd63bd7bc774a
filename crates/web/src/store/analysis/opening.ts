import type { ExploreSetup, MatchId, Move } from '../../protocol/generated.ts';
import { DEFAULT_VARIANT, plyIn, variantIn } from '../query.ts';
import { movesTo } from './line-tree.ts';
import type { Analysis } from './analysis.ts';

/** The opening of an analysis that an address names. */
export type Opening =
  /** A match of this server, shown after so many moves, and others tried from there. */
  | { readonly kind: 'match'; readonly match: MatchId; readonly ply: number | null; readonly moves: readonly Move[] }
  | { readonly kind: 'setup'; readonly setup: ExploreSetup; readonly moves: readonly Move[] };

/** Reads what stands after the question mark of an address; what it does not say is as usual. */
export function openingOf(search: string): Opening {
  const query = new URLSearchParams(search);
  const [match, fen, variant] = [query.get('match'), query.get('fen'), variantIn(query)];
  const moves = (query.get('moves') ?? '').split(/[\s,-]+/).filter((mv) => mv !== '');
  if (match !== null) return { kind: 'match', match, ply: plyIn(query), moves };
  if (fen === null) return { kind: 'setup', setup: { kind: 'start', variant: variant ?? DEFAULT_VARIANT }, moves };
  return { kind: 'setup', setup: { kind: 'text', text: fen, ...(variant === null ? {} : { variant }) }, moves };
}

/**
 * Returns the part of a link that leads to the current node: with its moves, or, in a written game,
 * where resignations are no moves, with the position alone. `null` until the server has explored
 * it.
 */
export function linkTo(analysis: Analysis): string | null {
  const [ground, outlook] = [analysis.ground.value, analysis.outlook.value];
  if (ground === null || outlook === null) return null;
  const query = new URLSearchParams({ variant: ground.variant });
  const isWritten = ground.given.length > 0;
  const fen = isWritten ? outlook.fen : ground.setup.kind === 'text' ? ground.start_fen : null;
  const moves = isWritten ? [] : movesTo(analysis.tree.value, analysis.at.value);
  if (fen !== null) query.set('fen', fen);
  if (moves.length > 0) query.set('moves', moves.join('-'));
  return `/analysis?${query.toString()}`;
}
