import type {
  BoardView, Color, EliminatedView, Exploration, ExploredPly, Explore, ExploreSetup, ExploreStop, SeatView, Variant,
} from '../../protocol/generated.ts';
import type { Pieces } from '../pieces.ts';
import { movesTo, NO_LINES, pathTo, START, withMove, type LineTree, type NodeId } from './line-tree.ts';

/** The root of an analysis: a position, or a written game. */
export interface AnalysisRoot {
  readonly setup: ExploreSetup;
  /** The places of the written game's own moves, which the server follows by itself. */
  readonly given: readonly NodeId[];
  readonly variant: Variant;
  readonly board: BoardView;
  readonly seats: readonly SeatView[];
  readonly start: Pieces;
  readonly start_fen: string;
  readonly start_eliminated: readonly EliminatedView[];
  readonly players: Partial<Record<Color, string>>;
  readonly result: string | null;
  /** The parts of the text that were ignored, for people. */
  readonly warnings: readonly string[];
  readonly stopped: ExploreStop | null;
  readonly more_games: number;
}

/** The ground that an answer of the server lays, with its line as the main one; the last `added` moves were not the text's. */
export function analysisRoot(
  setup: ExploreSetup,
  found: Exploration,
  added: number,
): { readonly ground: AnalysisRoot; readonly tree: LineTree; readonly plies: Readonly<Record<NodeId, ExploredPly>> } {
  let tree = NO_LINES;
  let node = START;
  const plies: Record<NodeId, ExploredPly> = {};
  for (const ply of found.line) {
    ({ tree, node } = withMove(tree, node, ply.move));
    plies[node] = ply;
  }
  const ground: AnalysisRoot = {
    setup,
    given: pathTo(tree, node).slice(0, found.line.length - added),
    variant: found.variant,
    board: found.board,
    seats: found.seats,
    start: found.start,
    start_fen: found.start_fen,
    start_eliminated: found.start_eliminated ?? [],
    players: found.players ?? {},
    result: found.result ?? null,
    warnings: found.warnings ?? [],
    stopped: found.stopped ?? null,
    more_games: found.more_games ?? 0,
  };
  return { ground, tree, plies };
}

/**
 * The request for a node: the text as far as the way there goes along it, then the moves. The text is asked for as it
 * is, since who resigned or ran out of time in it is no move.
 */
export function requestFor(ground: AnalysisRoot, tree: LineTree, node: NodeId): Explore {
  const path = pathTo(tree, node);
  const leaves = path.findIndex((place, index) => ground.given[index] !== place);
  const along = leaves === -1 ? path.length : leaves;
  const moves = movesTo(tree, node).slice(along);
  const setup = ground.setup.kind === 'text' && along < ground.given.length ? { ...ground.setup, plies: along } : ground.setup;
  return moves.length === 0 ? { setup } : { setup, moves };
}
