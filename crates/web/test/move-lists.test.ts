import { describe, expect, it } from 'vitest';
import type { Color, ExploredPly } from '../src/protocol/generated.ts';
import { EMPTY_TREE, START, withMove, type LineTree, type NodeId } from '../src/store/analysis/line-tree.ts';
import { moveLists, type ListedMove } from '../src/store/analysis/move-lists.ts';
import { seats } from './support/boards.ts';

const FOUR = seats({ red: null, blue: null, yellow: null, green: null });

/** Returns a tree of moves named by the letters of their colors: `r1` is a move of Red's. */
class Grown {
  tree: LineTree = EMPTY_TREE;
  readonly plies: Record<NodeId, ExploredPly> = {};

  line(at: NodeId, ...moves: string[]): NodeId {
    let node = at;
    for (const mv of moves) {
      ({ tree: this.tree, node } = withMove(this.tree, node, mv));
      const color = FOUR.find((seat) => seat.color.startsWith(mv.charAt(0)))?.color as Color;
      this.plies[node] = { color, move: mv, notation: mv, squares: {} };
    }
    return node;
  }

  written(moves: readonly ListedMove[] = moveLists(this.tree, this.plies, FOUR)): string {
    return moves
      .map(({ node, round, continuesRound: continues, sideLines: sides }) => {
        const number = round === null ? '' : `${round}${continues ? '...' : '.'} `;
        return [number + (this.plies[node]?.move ?? ''), ...sides.map((side) => `(${this.written(side)})`)].join(' ');
      })
      .join(' ');
  }
}

describe('moveLists', () => {
  it('numbers the rounds from the first player on', () => {
    const grown = new Grown();
    grown.line(START, 'y1', 'g1', 'r1', 'b1', 'y2', 'g2');
    expect(grown.written()).toBe('1. y1 g1 r1 b1 2. y2 g2');
  });

  it('opens a round also if the first seat is eliminated', () => {
    const grown = new Grown();
    grown.line(START, 'r1', 'b1', 'y1', 'g1', 'b2', 'y2', 'g2', 'b3');
    expect(grown.written()).toBe('1. r1 b1 y1 g1 2. b2 y2 g2 3. b3');
  });

  it('puts side lines after the move that they replace, with the number of the round', () => {
    const grown = new Grown();
    const red = grown.line(START, 'r1');
    grown.line(red, 'b1', 'y1', 'g1');
    grown.line(red, 'b2', 'y2');
    grown.line(START, 'r2');
    expect(grown.written()).toBe('1. r1 (1. r2) 1... b1 (1... b2 y2) 1... y1 g1');
  });

  it('is empty without moves', () => {
    expect(new Grown().written()).toBe('');
  });
});
