import type { Color, ExploredPly, SeatView } from '../../protocol/generated.ts';
import { nodeAt, onward, START, type LineTree, type NodeId } from './line-tree.ts';

/** A move as it stands in the list of an analysis. */
export interface ListedMove {
  readonly node: NodeId;
  /**
   * Number of the round, given only where a reader needs it: at the first move of a round and at
   * the beginning of a line.
   */
  readonly round: number | null;
  /** Set if other moves of the round come before it, where the round is shown. */
  readonly continues: boolean;
  /** Lines that leave instead of this move. */
  readonly sides: readonly (readonly ListedMove[])[];
}

interface Place {
  readonly round: number;
  readonly color: Color | null;
}

/** The tree as nested lists: the main line, with the side lines behind the moves they stand for. */
export function listed(
  tree: LineTree,
  plies: Readonly<Record<NodeId, ExploredPly>>,
  seats: readonly SeatView[],
): readonly ListedMove[] {
  const order = seats.map(({ color }) => color);
  const first = plies[onward(tree, START) ?? START]?.color ?? order[0] ?? null;
  const turned = first === null ? order : [...order.slice(order.indexOf(first)), ...order.slice(0, order.indexOf(first))];

  const after = (before: Place, node: NodeId): Place => {
    const color = plies[node]?.color ?? null;
    const isNew = before.color === null || (color !== null && turned.indexOf(color) <= turned.indexOf(before.color));
    return { round: before.round + Number(isNew), color: color ?? before.color };
  };
  const line = (from: NodeId, before: Place): readonly ListedMove[] => {
    const moves: ListedMove[] = [];
    let [node, place]: [NodeId | null, Place] = [from, before];
    let opens = true;
    while (node !== null) {
      const here: Place = after(place, node);
      const parent: NodeId = nodeAt(tree, node).parent ?? START;
      const isMain = onward(tree, parent) === node;
      const came: Place = place;
      const sides = isMain ? nodeAt(tree, parent).children.slice(1).map((side) => line(side, came)) : [];
      const isNew: boolean = here.round !== place.round;
      moves.push({ node, round: isNew || opens ? here.round : null, continues: !isNew, sides });
      opens = sides.length > 0;
      place = here;
      node = onward(tree, node);
    }
    return moves;
  };
  const main = onward(tree, START);
  return main === null ? [] : line(main, { round: 0, color: null });
}
