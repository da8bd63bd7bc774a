import type { ExploreSetup, MatchId, Move } from '../../protocol/generated.ts';
import { plyFrom, variantFrom } from '../address-query.ts';
import { DEFAULT_VARIANT } from '../variants.ts';
import { movesTo } from './line-tree.ts';
import type { Analysis } from './analysis.ts';

/** The start of an analysis, parsed from an address. */
export type AnalysisStart =
  /** A match of this server at the position after `ply` moves, and further moves from there. */
  | { readonly kind: 'match'; readonly match: MatchId; readonly ply: number | null; readonly moves: readonly Move[] }
  | { readonly kind: 'setup'; readonly setup: ExploreSetup; readonly moves: readonly Move[] };

/** Parses the query of an address. Missing parts get their defaults. */
export function analysisStartFrom(search: string): AnalysisStart {
  const query = new URLSearchParams(search);
  const [match, fen, variant] = [query.get('match'), query.get('fen'), variantFrom(query)];
  const moves = (query.get('moves') ?? '').split(/[\s,-]+/).filter((mv) => mv !== '');
  if (match !== null) return { kind: 'match', match, ply: plyFrom(query), moves };
  if (fen === null) return { kind: 'setup', setup: { kind: 'start', variant: variant ?? DEFAULT_VARIANT }, moves };
  return { kind: 'setup', setup: { kind: 'text', text: fen, ...(variant === null ? {} : { variant }) }, moves };
}

/**
 * Returns a link to the current node. The link contains the initial position and the moves to the
 * node. If the root is a game in notation, the link contains only the node's position, because a
 * game can contain events that are not moves. Returns `null` until the server has explored the
 * node.
 */
export function linkToAnalysis(analysis: Analysis): string | null {
  const [root, facts] = [analysis.root.value, analysis.currentFacts.value];
  if (root === null || facts === null) return null;
  const query = new URLSearchParams({ variant: root.variant });
  const isFromGame = root.gameNodes.length > 0;
  const fen = isFromGame ? facts.fen : root.setup.kind === 'text' ? root.start_fen : null;
  const moves = isFromGame ? [] : movesTo(analysis.tree.value, analysis.currentNode.value);
  if (fen !== null) query.set('fen', fen);
  if (moves.length > 0) query.set('moves', moves.join('-'));
  return `/analysis?${query.toString()}`;
}
