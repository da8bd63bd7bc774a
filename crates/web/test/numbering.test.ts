import { describe, expect, it } from 'vitest';
import type { Color, ExploredPly } from '../src/protocol/generated.ts';
import { EMPTY_TREE, START, withMove, type LineTree, type NodeId } from '../src/store/analysis/line-tree.ts';
import { moveLists, type ListedMove } from '../src/store/analysis/move-lists.ts';
import { seats } from './support/boards.ts';

const FOUR = seats({ red: null, blue: null, yellow: null, green: null });

/** A tree of moves that are named by their colors' letters: `r1` is some move of Red's. */
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

describe('the list of an analysis', () => {
  it('numbers the rounds from whoever begins', () => {
    const grown = new Grown();
    grown.line(START, 'y1', 'g1', 'r1', 'b1', 'y2', 'g2');
    expect(grown.written()).toBe('1. y1 g1 r1 b1 2. y2 g2');
  });

  it('opens a round also where the first seat is out', () => {
    const grown = new Grown();
    grown.line(START, 'r1', 'b1', 'y1', 'g1', 'b2', 'y2', 'g2', 'b3');
    expect(grown.written()).toBe('1. r1 b1 y1 g1 2. b2 y2 g2 3. b3');
  });

  it('puts side lines behind the move they stand for and tells the round again', () => {
    const grown = new Grown();
    const red = grown.line(START, 'r1');
    grown.line(red, 'b1', 'y1', 'g1');
    grown.line(red, 'b2', 'y2');
    grown.line(START, 'r2');
    expect(grown.written()).toBe('1. r1 (1. r2) 1... b1 (1... b2 y2) 1... y1 g1');
  });

  it('lists nothing where nothing was tried', () => {
    expect(new Grown().written()).toBe('');
  });
});
