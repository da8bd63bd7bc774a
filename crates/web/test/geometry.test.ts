import { describe, expect, it } from 'vitest';
import type { Side } from '../src/protocol/generated.ts';
import { Layout } from '../src/view/board/geometry.ts';
import { crossStart, CLASSIC_BOARD, GREAT_CROSS, SMALL_CROSS } from './support/boards.ts';

const SIDES: readonly Side[] = ['south', 'west', 'north', 'east'];

function shown(layout: Layout): string[] {
  return layout.shownRows.flatMap((line) => line.map((cell) => cell.square));
}

describe('Layout', () => {
  it('shows every square of the great cross once, from every side', () => {
    for (const side of SIDES) {
      const squares = shown(new Layout(GREAT_CROSS, side));
      expect(squares).toHaveLength(160);
      expect(new Set(squares).size).toBe(160);
    }
  });

  it("shows each player's own rook, knight, bishop, king, queen from its own left to right", () => {
    const pieces = crossStart(14, 3);
    for (const [side, letter] of [['south', 'r'], ['west', 'b'], ['north', 'y'], ['east', 'g']] as const) {
      const bottom = new Layout(GREAT_CROSS, side).shownRows.at(-1) ?? [];
      expect(bottom.map((cell) => pieces[cell.square])).toEqual([...'RNBKQBNR'].map((role) => letter + role));
    }
  });

  it('places the corners as each seat expects them', () => {
    expect(new Layout(CLASSIC_BOARD, 'south').squareAt({ column: 0, row: 7 })).toBe('a1');
    expect(new Layout(CLASSIC_BOARD, 'north').squareAt({ column: 0, row: 7 })).toBe('h8');
    expect(new Layout(GREAT_CROSS, 'west').squareAt({ column: 3, row: 13 })).toBe('a11');
    expect(new Layout(GREAT_CROSS, 'east').squareAt({ column: 3, row: 13 })).toBe('n4');
    expect(new Layout(GREAT_CROSS, 'south').squareAt({ column: 0, row: 0 })).toBeNull();
  });

  it('finds a square at its own position', () => {
    for (const side of SIDES) {
      const layout = new Layout(SMALL_CROSS, side);
      for (const square of shown(layout)) {
        const place = layout.positionOf(square);
        expect(place === null ? null : layout.squareAt(place)).toBe(square);
      }
    }
  });

  it('places the sides clockwise from the bottom', () => {
    const seen = (bottom: Side): string[] => SIDES.map((side) => new Layout(GREAT_CROSS, bottom).screenSideOf(side));
    expect(seen('south')).toEqual(['bottom', 'left', 'top', 'right']);
    expect(seen('west')).toEqual(['right', 'bottom', 'left', 'top']);
    expect(seen('north')).toEqual(['top', 'right', 'bottom', 'left']);
    expect(seen('east')).toEqual(['left', 'top', 'right', 'bottom']);
  });

  it('turns the coordinates with the board', () => {
    const labels = (bottom: Side): string[] =>
      (new Layout(CLASSIC_BOARD, bottom).shownRows.at(-1) ?? []).map((cell) => cell.columnLabel ?? '');
    expect(labels('south').join('')).toBe('abcdefgh');
    expect(labels('north').join('')).toBe('hgfedcba');
    const blue = new Layout(GREAT_CROSS, 'west');
    expect((blue.shownRows.at(-1) ?? []).map((cell) => cell.columnLabel)).toEqual([
      '11', '10', '9', '8', '7', '6', '5', '4',
    ]);
    expect(blue.shownRows.map((line) => line[0]?.rowLabel).join('')).toBe('nmlkjihgfedcba');
  });

  it('names every column and every row of a cross exactly once', () => {
    const cells = new Layout(GREAT_CROSS, 'south').shownRows.flat();
    expect(cells.flatMap((cell) => cell.columnLabel ?? []).toSorted()).toEqual([...'abcdefghijklmn']);
    expect(cells.flatMap((cell) => cell.rowLabel ?? [])).toHaveLength(14);
  });

  it('knows the size of the cut-out corners', () => {
    expect(new Layout(GREAT_CROSS, 'east').cornerSize).toBe(3);
    expect(new Layout(SMALL_CROSS, 'north').cornerSize).toBe(2);
    expect(new Layout(CLASSIC_BOARD, 'south').cornerSize).toBe(0);
  });

  it('shades a1 dark and h1 light', () => {
    const shades = new Map(new Layout(CLASSIC_BOARD, 'south').shownRows.flat().map((cell) => [cell.square, cell.shade]));
    expect(shades.get('a1')).toBe('dark');
    expect(shades.get('h1')).toBe('light');
  });
});

describe('moving the focus', () => {
  const layout = new Layout(GREAT_CROSS, 'south');

  it('goes to the neighbor on the screen', () => {
    expect(layout.neighbor('g4', 'up')).toBe('g5');
    expect(layout.neighbor('g4', 'left')).toBe('f4');
    expect(new Layout(GREAT_CROSS, 'west').neighbor('g4', 'up')).toBe('h4');
    expect(new Layout(GREAT_CROSS, 'west').neighbor('g4', 'right')).toBe('g3');
  });

  it('stops at the edge of the board, also at a cut-out corner', () => {
    expect(layout.neighbor('d1', 'left')).toBeNull();
    expect(layout.neighbor('a4', 'down')).toBeNull();
    expect(layout.neighbor('n11', 'right')).toBeNull();
    expect(layout.neighbor('k14', 'up')).toBeNull();
  });

  it('skips holes that lie between squares', () => {
    const ring = new Layout({ files: 5, ranks: 3, holes: ['b2', 'c2', 'd2'] }, 'south');
    expect(ring.neighbor('a2', 'right')).toBe('e2');
    expect(ring.neighbor('c1', 'up')).toBe('c3');
  });

  it('jumps to the ends of a row', () => {
    expect(layout.rowEnd('g2', 'first')).toBe('d2');
    expect(layout.rowEnd('g7', 'last')).toBe('n7');
  });
});
