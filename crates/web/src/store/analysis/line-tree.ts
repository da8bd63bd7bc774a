import type { Move } from '../../protocol/generated.ts';

/** The id of a node in a tree of moves. */
export type NodeId = number;

/** The node before the first move. */
export const START: NodeId = 0;

/**
 * A node of the tree: a move and the moves after it. The first child continues the line of its
 * parent; the others begin side lines.
 */
export interface LineNode {
  /** The move that leads to this node; `null` at the start. */
  readonly mv: Move | null;
  readonly parent: NodeId | null;
  readonly children: readonly NodeId[];
}

/** A tree of moves from one position, with side lines. Ids are never used twice. */
export interface LineTree {
  readonly nodes: Readonly<Record<NodeId, LineNode>>;
  readonly nextId: NodeId;
}

/** A tree without moves. */
export const EMPTY_TREE: LineTree = { nodes: { [START]: { mv: null, parent: null, children: [] } }, nextId: START + 1 };

/**
 * Returns the tree with a move added after a node, and the node of the move. If the tree already
 * has the move there, its node stays the same.
 */
export function withMove(tree: LineTree, at: NodeId, mv: Move): { readonly tree: LineTree; readonly node: NodeId } {
  const from = nodeAt(tree, at);
  const existing = from.children.find((child) => nodeAt(tree, child).mv === mv);
  if (existing !== undefined) return { tree, node: existing };
  const node = tree.nextId;
  const nodes = {
    ...tree.nodes,
    [at]: { ...from, children: [...from.children, node] },
    [node]: { mv, parent: at, children: [] },
  };
  return { tree: { nodes, nextId: node + 1 }, node };
}

/** Returns the nodes on the path to a node, without the start. */
export function pathTo(tree: LineTree, id: NodeId): NodeId[] {
  const path: NodeId[] = [];
  for (let at = id; at !== START; at = nodeAt(tree, at).parent ?? START) path.push(at);
  return path.toReversed();
}

/** Returns the moves from the start to a node. */
export function movesTo(tree: LineTree, id: NodeId): Move[] {
  return pathTo(tree, id).flatMap((at) => nodeAt(tree, at).mv ?? []);
}

/** Returns the node that continues the line, or `null` at its end. */
export function mainChild(tree: LineTree, id: NodeId): NodeId | null {
  return nodeAt(tree, id).children[0] ?? null;
}

/** Returns the node before a node, or `null` at the start. */
export function parentOf(tree: LineTree, id: NodeId): NodeId | null {
  return nodeAt(tree, id).parent;
}

/** Returns the last node of the line that continues from a node. */
export function lineEnd(tree: LineTree, id: NodeId): NodeId {
  let at = id;
  for (let next = mainChild(tree, at); next !== null; next = mainChild(tree, at)) at = next;
  return at;
}

/** Returns whether a node is on the main line. */
export function isOnMainLine(tree: LineTree, id: NodeId): boolean {
  return branchOf(tree, id) === null;
}

/**
 * Returns the tree with the side line of a node promoted: it becomes the main continuation at the
 * point where it branches off. A node on the main line changes nothing.
 */
export function withPromotedLine(tree: LineTree, id: NodeId): LineTree {
  const branch = branchOf(tree, id);
  const at = branch === null ? null : nodeAt(tree, branch).parent;
  if (branch === null || at === null) return tree;
  const from = nodeAt(tree, at);
  const children = [branch, ...from.children.filter((child) => child !== branch)];
  return { ...tree, nodes: { ...tree.nodes, [at]: { ...from, children } } };
}

/**
 * Returns the tree without a node and its descendants, and the node before it. The start cannot be
 * removed.
 */
export function withoutNode(tree: LineTree, id: NodeId): { readonly tree: LineTree; readonly node: NodeId } {
  const { parent } = nodeAt(tree, id);
  if (parent === null) return { tree, node: id };
  const removed = new Set(subtree(tree, id));
  const remaining = Object.entries(tree.nodes).filter(([key]) => !removed.has(Number(key)));
  const from = nodeAt(tree, parent);
  const nodes = { ...Object.fromEntries(remaining), [parent]: { ...from, children: from.children.filter((child) => child !== id) } };
  return { tree: { nodes, nextId: tree.nextId }, node: parent };
}

/** Returns whether the first node is the second one or one of its ancestors. */
export function isAncestorOrSelf(tree: LineTree, from: NodeId, id: NodeId): boolean {
  return from === START || pathTo(tree, id).includes(from);
}

/**
 * Returns the first node of the innermost side line on the path to a node, or `null` on the main
 * line.
 */
export function branchOf(tree: LineTree, id: NodeId): NodeId | null {
  return pathTo(tree, id).findLast((at) => mainChild(tree, nodeAt(tree, at).parent ?? START) !== at) ?? null;
}

/** Returns the node with an id. */
export function nodeAt(tree: LineTree, id: NodeId): LineNode {
  const node = tree.nodes[id];
  if (node === undefined) throw new Error(`the tree has a place ${id}`);
  return node;
}

function subtree(tree: LineTree, id: NodeId): NodeId[] {
  return [id, ...nodeAt(tree, id).children.flatMap((child) => subtree(tree, child))];
}
