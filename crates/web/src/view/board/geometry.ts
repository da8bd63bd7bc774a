import type { BoardView, Color, Side, Square } from '../../protocol/generated.ts';

/** The side of the screen at which a side of the board is displayed. */
export type ScreenSide = 'bottom' | 'left' | 'top' | 'right';

/** A position in the grid on the screen, from the top left. */
export interface GridPosition {
  readonly column: number;
  readonly row: number;
}

/** A color with the side of the board that it plays from. */
export interface ColoredSide {
  readonly color: Color;
  readonly side: Side;
}

/** A square with its position on the screen. */
export interface Cell extends GridPosition {
  readonly square: Square;
  readonly shade: 'light' | 'dark';
  /** The distances from the left and the top edge of the board, as percentages of its size. */
  readonly left: string;
  readonly top: string;
  /**
   * The coordinate that is displayed at the lower edge of the cell, if it is the lowest cell of its
   * column.
   */
  readonly columnLabel: string | null;
  /**
   * The coordinate that is displayed at the left edge of the cell, if it is the leftmost cell of
   * its row.
   */
  readonly rowLabel: string | null;
}

/** A direction on the screen. */
export type Direction = 'up' | 'down' | 'left' | 'right';

/** The sides of the board, clockwise. */
const SIDES: readonly Side[] = ['south', 'west', 'north', 'east'];
const SCREEN_SIDES: readonly ScreenSide[] = ['bottom', 'left', 'top', 'right'];

const STEPS: Record<Direction, GridPosition> = {
  up: { column: 0, row: -1 },
  down: { column: 0, row: 1 },
  left: { column: -1, row: 0 },
  right: { column: 1, row: 0 },
};

/** The positions of all squares on the screen, with one side of the board at the bottom. */
export class Layout {
  readonly columns: number;
  readonly rows: number;
  /** The displayed squares, row by row. */
  readonly shownRows: readonly (readonly Cell[])[];
  /** The size of the cut-out corners, in squares; 0 if the board has none. */
  readonly cornerSize: number;
  readonly #bottom: Side;
  readonly #cells = new Map<Square, Cell>();
  readonly #grid: readonly (readonly (Cell | null)[])[];

  constructor(board: BoardView, bottom: Side) {
    const isSideways = bottom === 'west' || bottom === 'east';
    this.columns = isSideways ? board.ranks : board.files;
    this.rows = isSideways ? board.files : board.ranks;
    this.#bottom = bottom;
    this.#grid = this.#buildGrid(board);
    this.shownRows = this.#grid.map((row) => row.filter((cell) => cell !== null));
    this.cornerSize = cutCornerSize(this.#grid);
  }

  /** Returns the position of a square. */
  positionOf(square: Square): GridPosition | null {
    return this.#cells.get(square) ?? null;
  }

  /** Returns the square at a position, or `null` if there is none. */
  squareAt({ column, row }: GridPosition): Square | null {
    return this.#grid[row]?.[column]?.square ?? null;
  }

  /** Returns the next square in a direction, or `null` at the edge. Holes are skipped. */
  neighbor(from: Square, direction: Direction): Square | null {
    const step = STEPS[direction];
    let position = this.positionOf(from);
    while (position !== null) {
      position = { column: position.column + step.column, row: position.row + step.row };
      if (position.column < 0 || position.row < 0 || position.column >= this.columns || position.row >= this.rows) return null;
      const square = this.squareAt(position);
      if (square !== null) return square;
    }
    return null;
  }

  /** Returns the first or last square in the row of a square. */
  rowEnd(from: Square, end: 'first' | 'last'): Square {
    const row = this.shownRows[this.positionOf(from)?.row ?? -1];
    return row?.at(end === 'first' ? 0 : -1)?.square ?? from;
  }

  /** Returns the side of the screen for a side of the board. */
  screenSideOf(side: Side): ScreenSide {
    const turns = SIDES.indexOf(side) - SIDES.indexOf(this.#bottom) + SIDES.length;
    return SCREEN_SIDES[turns % SCREEN_SIDES.length] ?? 'bottom';
  }

  #buildGrid(board: BoardView): (Cell | null)[][] {
    const holes = new Set(board.holes);
    const grid: (Cell | null)[][] = Array.from({ length: this.rows }, () => Array<null>(this.columns).fill(null));
    const squares: { square: Square; file: number; rank: number }[] = [];
    for (let rank = 0; rank < board.ranks; rank += 1) {
      for (let file = 0; file < board.files; file += 1) {
        const square = squareName(file, rank);
        if (!holes.has(square)) squares.push({ square, file, rank });
      }
    }
    const lowestRowByColumn = new Map<number, number>();
    const leftmostColumnByRow = new Map<number, number>();
    for (const { file, rank } of squares) {
      const { column, row } = positionFrom(board, this.#bottom, file, rank);
      lowestRowByColumn.set(column, Math.max(lowestRowByColumn.get(column) ?? 0, row));
      leftmostColumnByRow.set(row, Math.min(leftmostColumnByRow.get(row) ?? this.columns, column));
    }
    const isSideways = this.#bottom === 'west' || this.#bottom === 'east';
    for (const { square, file, rank } of squares) {
      const { column, row } = positionFrom(board, this.#bottom, file, rank);
      const [fileLabel, rankLabel] = [square.charAt(0), String(rank + 1)];
      const cell: Cell = {
        square,
        column,
        row,
        shade: (file + rank) % 2 === 0 ? 'dark' : 'light',
        left: `${(100 * column) / this.columns}%`,
        top: `${(100 * row) / this.rows}%`,
        columnLabel: lowestRowByColumn.get(column) === row ? (isSideways ? rankLabel : fileLabel) : null,
        rowLabel: leftmostColumnByRow.get(row) === column ? (isSideways ? fileLabel : rankLabel) : null,
      };
      this.#cells.set(square, cell);
      const line = grid[row];
      if (line !== undefined) line[column] = cell;
    }
    return grid;
  }
}

/** Returns the name of a square. File and rank start at 0. */
export function squareName(file: number, rank: number): Square {
  return `${String.fromCodePoint(0x61 + file)}${rank + 1}`;
}

/**
 * Returns the position of a square with a given side at the bottom. The left hand of the player at
 * the bottom is at the left of the screen. For example, Blue looks from file a along the ranks, so
 * the high ranks are at the left.
 */
function positionFrom(board: BoardView, bottom: Side, file: number, rank: number): GridPosition {
  switch (bottom) {
    case 'south':
      return { column: file, row: board.ranks - 1 - rank };
    case 'west':
      return { column: board.ranks - 1 - rank, row: board.files - 1 - file };
    case 'north':
      return { column: board.files - 1 - file, row: rank };
    case 'east':
      return { column: rank, row: file };
  }
}

/** Returns the side that is a number of quarter turns further clockwise. */
export function rotateSide(side: Side, quarters: number): Side {
  return SIDES[(SIDES.indexOf(side) + quarters) % SIDES.length] ?? side;
}

/**
 * Returns the number of holes before the first square of the top row if all four corners are cut
 * alike, otherwise 0.
 */
function cutCornerSize(grid: readonly (readonly (Cell | null)[])[]): number {
  const runs = [grid.at(0), grid.at(-1)].flatMap((row) => {
    const cells = row ?? [];
    const first = cells.findIndex((cell) => cell !== null);
    const last = cells.findLastIndex((cell) => cell !== null);
    return [first, cells.length - 1 - last];
  });
  const [size = 0] = runs;
  return runs.every((run) => run === size) ? Math.max(0, size) : 0;
}
