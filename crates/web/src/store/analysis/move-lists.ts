import type { Color, ExploredPly, SeatView } from '../../protocol/generated.ts';
import { nodeAt, mainChild, START, type LineTree, type NodeId } from './line-tree.ts';

/** A move in the move list of an analysis. */
export interface ListedMove {
  readonly node: NodeId;
  /**
   * The number of the round at the first move of a round and at the first move of a line; `null` at
   * all other moves.
   */
  readonly round: number | null;
  /** Set if other moves of the same round precede this move. */
  readonly continuesRound: boolean;
  /** The side lines that replace this move. */
  readonly sideLines: readonly (readonly ListedMove[])[];
}

interface RoundState {
  readonly round: number;
  readonly color: Color | null;
}

/**
 * Returns the tree as nested lists: the main line, with each side line after the move that it
 * replaces.
 */
export function moveLists(
  tree: LineTree,
  plies: Readonly<Record<NodeId, ExploredPly>>,
  seats: readonly SeatView[],
): readonly ListedMove[] {
  const order = seats.map(({ color }) => color);
  const first = plies[mainChild(tree, START) ?? START]?.color ?? order[0] ?? null;
  const turnOrder = first === null ? order : [...order.slice(order.indexOf(first)), ...order.slice(0, order.indexOf(first))];

  const after = (before: RoundState, node: NodeId): RoundState => {
    const color = plies[node]?.color ?? null;
    const isNew = before.color === null || (color !== null && turnOrder.indexOf(color) <= turnOrder.indexOf(before.color));
    return { round: before.round + Number(isNew), color: color ?? before.color };
  };
  const line = (from: NodeId, before: RoundState): readonly ListedMove[] => {
    const moves: ListedMove[] = [];
    let [node, state]: [NodeId | null, RoundState] = [from, before];
    let needsNumber = true;
    while (node !== null) {
      const current: RoundState = after(state, node);
      const parent: NodeId = nodeAt(tree, node).parent ?? START;
      const isMain = mainChild(tree, parent) === node;
      const stateBefore: RoundState = state;
      const sides = isMain ? nodeAt(tree, parent).children.slice(1).map((side) => line(side, stateBefore)) : [];
      const isNew: boolean = current.round !== state.round;
      moves.push({ node, round: isNew || needsNumber ? current.round : null, continuesRound: !isNew, sideLines: sides });
      needsNumber = sides.length > 0;
      state = current;
      node = mainChild(tree, node);
    }
    return moves;
  };
  const main = mainChild(tree, START);
  return main === null ? [] : line(main, { round: 0, color: null });
}
