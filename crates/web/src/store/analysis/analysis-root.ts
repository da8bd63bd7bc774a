import type {
  BoardView, Color, EliminatedView, Exploration, ExploredPly, Explore, ExploreSetup, ExploreStop, SeatView, Variant,
} from '../../protocol/generated.ts';
import type { Pieces } from '../pieces.ts';
import { movesTo, EMPTY_TREE, pathTo, START, withMove, type LineTree, type NodeId } from './line-tree.ts';

/** The root of an analysis: a position, or a game in notation. */
export interface AnalysisRoot {
  readonly setup: ExploreSetup;
  /** The nodes of the game's own moves. The server reads these moves from the text of the game. */
  readonly gameNodes: readonly NodeId[];
  readonly variant: Variant;
  readonly board: BoardView;
  readonly seats: readonly SeatView[];
  readonly start: Pieces;
  readonly start_fen: string;
  readonly start_eliminated: readonly EliminatedView[];
  readonly players: Partial<Record<Color, string>>;
  readonly result: string | null;
  /** The ignored parts of the text, as messages for people. */
  readonly warnings: readonly string[];
  readonly stopped: ExploreStop | null;
  readonly more_games: number;
}

/**
 * Returns the root of an analysis from the server's answer, and a tree with the answer's line as
 * the main line. The last `addedMoves` moves are not part of the game's text.
 */
export function analysisRoot(
  setup: ExploreSetup,
  exploration: Exploration,
  addedMoves: number,
): { readonly root: AnalysisRoot; readonly tree: LineTree; readonly plies: Readonly<Record<NodeId, ExploredPly>> } {
  let tree = EMPTY_TREE;
  let node = START;
  const plies: Record<NodeId, ExploredPly> = {};
  for (const ply of exploration.line) {
    ({ tree, node } = withMove(tree, node, ply.move));
    plies[node] = ply;
  }
  const root: AnalysisRoot = {
    setup,
    gameNodes: pathTo(tree, node).slice(0, exploration.line.length - addedMoves),
    variant: exploration.variant,
    board: exploration.board,
    seats: exploration.seats,
    start: exploration.start,
    start_fen: exploration.start_fen,
    start_eliminated: exploration.start_eliminated ?? [],
    players: exploration.players ?? {},
    result: exploration.result ?? null,
    warnings: exploration.warnings ?? [],
    stopped: exploration.stopped ?? null,
    more_games: exploration.more_games ?? 0,
  };
  return { root, tree, plies };
}

/**
 * Returns the request that explores a node: the game's text up to the move where the node's line
 * leaves it, then the other moves. The text is sent because it can contain events that are not
 * moves, such as a resignation or a loss on time.
 */
export function exploreRequest(root: AnalysisRoot, tree: LineTree, node: NodeId): Explore {
  const path = pathTo(tree, node);
  const divergence = path.findIndex((place, index) => root.gameNodes[index] !== place);
  const sharedPlies = divergence === -1 ? path.length : divergence;
  const moves = movesTo(tree, node).slice(sharedPlies);
  const setup = root.setup.kind === 'text' && sharedPlies < root.gameNodes.length ? { ...root.setup, plies: sharedPlies } : root.setup;
  return moves.length === 0 ? { setup } : { setup, moves };
}
