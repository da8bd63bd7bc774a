import { describe, expect, it } from 'vitest';
import {
  parentOf, branchOf, lineEnd, isOnMainLine, isAncestorOrSelf, movesTo, EMPTY_TREE, mainChild, withPromotedLine, START, withMove, withoutNode, type LineTree, type NodeId,
} from '../src/store/analysis/line-tree.ts';

function tried(tree: LineTree, at: NodeId, ...moves: string[]): { tree: LineTree; node: NodeId } {
  let [grown, node] = [tree, at];
  for (const mv of moves) ({ tree: grown, node } = withMove(grown, node, mv));
  return { tree: grown, node };
}

/**
 * Returns the tree as text: `e2e4 (d2d4 d7d5) e7e5`, each side line in brackets after the move that
 * it replaces.
 */
function written(tree: LineTree, at: NodeId = START): string {
  const [main, ...sides] = (tree.nodes[at]?.children ?? []) as NodeId[];
  if (main === undefined) return '';
  const line = (id: NodeId): string => `${tree.nodes[id]?.mv ?? ''}`;
  const rest = written(tree, main);
  const others = sides.map((side) => ` (${[line(side), written(tree, side)].filter((word) => word !== '').join(' ')})`).join('');
  return `${line(main)}${others}${rest === '' ? '' : ` ${rest}`}`;
}

describe('a tree of moves', () => {
  const main = tried(EMPTY_TREE, START, 'e2e4', 'e7e5', 'g1f3');
  const e4 = mainChild(main.tree, START) ?? START;
  const side = tried(main.tree, e4, 'c7c5', 'b1c3');

  it('continues a line at its end', () => {
    expect(written(main.tree)).toBe('e2e4 e7e5 g1f3');
    expect(movesTo(main.tree, main.node)).toEqual(['e2e4', 'e7e5', 'g1f3']);
    expect(lineEnd(main.tree, START)).toBe(main.node);
    expect(mainChild(main.tree, main.node)).toBeNull();
    expect(parentOf(main.tree, START)).toBeNull();
  });

  it('opens a side line at a move in the middle', () => {
    expect(written(side.tree)).toBe('e2e4 e7e5 (c7c5 b1c3) g1f3');
    expect(isOnMainLine(side.tree, main.node)).toBe(true);
    expect(isOnMainLine(side.tree, side.node)).toBe(false);
    expect(side.tree.nodes[branchOf(side.tree, side.node) ?? START]?.mv).toBe('c7c5');
    expect(written(main.tree)).toBe('e2e4 e7e5 g1f3');
  });

  it('finds a known move', () => {
    const again = withMove(side.tree, e4, 'c7c5');
    expect(again.tree).toBe(side.tree);
    expect(movesTo(again.tree, again.node)).toEqual(['e2e4', 'c7c5']);
  });

  it('promotes a side line with all that follows', () => {
    expect(written(withPromotedLine(side.tree, side.node))).toBe('e2e4 c7c5 (e7e5 g1f3) b1c3');
    expect(isOnMainLine(withPromotedLine(side.tree, side.node), side.node)).toBe(true);
    expect(withPromotedLine(side.tree, main.node)).toBe(side.tree);
  });

  it('promotes the innermost line first', () => {
    const inner = tried(side.tree, parentOf(side.tree, side.node) ?? START, 'd2d4');
    expect(written(withPromotedLine(inner.tree, inner.node))).toBe('e2e4 e7e5 (c7c5 d2d4 (b1c3)) g1f3');
  });

  it('removes a move with all that follows, and uses no id twice', () => {
    const cut = withoutNode(side.tree, parentOf(side.tree, side.node) ?? START);
    expect(written(cut.tree)).toBe('e2e4 e7e5 g1f3');
    expect(cut.node).toBe(e4);
    expect(Object.keys(cut.tree.nodes)).toHaveLength(4);
    const next = withMove(cut.tree, e4, 'c7c5');
    expect(side.tree.nodes[next.node]).toBeUndefined();
    expect(withoutNode(side.tree, START)).toEqual({ tree: side.tree, node: START });
  });

  it('makes the next side line the main one when the main one is removed', () => {
    expect(written(withoutNode(side.tree, parentOf(main.tree, main.node) ?? START).tree)).toBe('e2e4 c7c5 b1c3');
  });

  it('returns the path to a node', () => {
    expect(isAncestorOrSelf(side.tree, e4, side.node)).toBe(true);
    expect(isAncestorOrSelf(side.tree, main.node, side.node)).toBe(false);
    expect(isAncestorOrSelf(side.tree, START, START)).toBe(true);
  });
});
