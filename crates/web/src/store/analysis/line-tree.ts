import type { Move } from '../../protocol/generated.ts';

/** A place in a tree of moves; the start is `START`. */
export type NodeId = number;

/** The place before the first move. */
export const START: NodeId = 0;

/** A move that was tried, and what was tried after it; the first of these goes on its line, the others leave it. */
export interface LineNode {
  /** The move that leads here; none at the start. */
  readonly mv: Move | null;
  readonly parent: NodeId | null;
  readonly children: readonly NodeId[];
}

/** Moves tried from one position, with all side lines. Numbers are never used twice. */
export interface LineTree {
  readonly nodes: Readonly<Record<NodeId, LineNode>>;
  readonly next: NodeId;
}

/** No move was tried yet. */
export const NO_LINES: LineTree = { nodes: { [START]: { mv: null, parent: null, children: [] } }, next: START + 1 };

/** The tree with a move tried at a place, and the place it leads to; what was tried there before is found again. */
export function withMove(tree: LineTree, at: NodeId, mv: Move): { readonly tree: LineTree; readonly node: NodeId } {
  const from = nodeAt(tree, at);
  const known = from.children.find((child) => nodeAt(tree, child).mv === mv);
  if (known !== undefined) return { tree, node: known };
  const node = tree.next;
  const nodes = {
    ...tree.nodes,
    [at]: { ...from, children: [...from.children, node] },
    [node]: { mv, parent: at, children: [] },
  };
  return { tree: { nodes, next: node + 1 }, node };
}

/** The places from the start to one, the start left out. */
export function pathTo(tree: LineTree, id: NodeId): NodeId[] {
  const path: NodeId[] = [];
  for (let at = id; at !== START; at = nodeAt(tree, at).parent ?? START) path.push(at);
  return path.toReversed();
}

/** The moves from the start to a place. */
export function movesTo(tree: LineTree, id: NodeId): Move[] {
  return pathTo(tree, id).flatMap((at) => nodeAt(tree, at).mv ?? []);
}

/** The place after the move that goes on from here; `null` at the end of a line. */
export function onward(tree: LineTree, id: NodeId): NodeId | null {
  return nodeAt(tree, id).children[0] ?? null;
}

/** The place before; `null` at the start. */
export function backward(tree: LineTree, id: NodeId): NodeId | null {
  return nodeAt(tree, id).parent;
}

/** The end of the line that goes on from a place. */
export function endOf(tree: LineTree, id: NodeId): NodeId {
  let at = id;
  for (let next = onward(tree, at); next !== null; next = onward(tree, at)) at = next;
  return at;
}

/** Returns whether a node is on the main line. */
export function isMain(tree: LineTree, id: NodeId): boolean {
  return branchOf(tree, id) === null;
}

/** The tree with the side line a place is on put before the line it left; on the main line nothing changes. */
export function promoted(tree: LineTree, id: NodeId): LineTree {
  const branch = branchOf(tree, id);
  const at = branch === null ? null : nodeAt(tree, branch).parent;
  if (branch === null || at === null) return tree;
  const from = nodeAt(tree, at);
  const children = [branch, ...from.children.filter((child) => child !== branch)];
  return { ...tree, nodes: { ...tree.nodes, [at]: { ...from, children } } };
}

/** The tree without a place and all that follows it, and the place before it, where one then is. The start stays. */
export function without(tree: LineTree, id: NodeId): { readonly tree: LineTree; readonly node: NodeId } {
  const { parent } = nodeAt(tree, id);
  if (parent === null) return { tree, node: id };
  const gone = new Set(within(tree, id));
  const kept = Object.entries(tree.nodes).filter(([key]) => !gone.has(Number(key)));
  const from = nodeAt(tree, parent);
  const nodes = { ...Object.fromEntries(kept), [parent]: { ...from, children: from.children.filter((child) => child !== id) } };
  return { tree: { nodes, next: tree.next }, node: parent };
}

/** Returns whether a node is another one or one of its descendants. */
export function leadsTo(tree: LineTree, from: NodeId, id: NodeId): boolean {
  return from === START || pathTo(tree, id).includes(from);
}

/** The last place on the way to this one where a line was left, as the first place of the side line. */
export function branchOf(tree: LineTree, id: NodeId): NodeId | null {
  return pathTo(tree, id).findLast((at) => onward(tree, nodeAt(tree, at).parent ?? START) !== at) ?? null;
}

/** The node of a place. */
export function nodeAt(tree: LineTree, id: NodeId): LineNode {
  const node = tree.nodes[id];
  if (node === undefined) throw new Error(`the tree has a place ${id}`);
  return node;
}

function within(tree: LineTree, id: NodeId): NodeId[] {
  return [id, ...nodeAt(tree, id).children.flatMap((child) => within(tree, child))];
}
