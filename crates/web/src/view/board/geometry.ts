import type { BoardView, Side, Square } from '../../protocol/generated.ts';

/** Side of the screen where a side of the board is shown. */
export type Place = 'bottom' | 'left' | 'top' | 'right';

/** A place on the screen's grid, counted from the top left. */
export interface GridPlace {
  readonly column: number;
  readonly row: number;
}

/** A square as it is shown. */
export interface Cell extends GridPlace {
  readonly square: Square;
  readonly shade: 'light' | 'dark';
  /** The coordinate shown at the lower edge, in the lowest cell of each column. */
  readonly columnLabel: string | null;
  /** The coordinate shown at the left edge, in the leftmost cell of each row. */
  readonly rowLabel: string | null;
}

/** The four directions on the screen. */
export type Direction = 'up' | 'down' | 'left' | 'right';

/** Clockwise, as colors sit and as places lie on the screen. */
const SIDES: readonly Side[] = ['south', 'west', 'north', 'east'];
const PLACES: readonly Place[] = ['bottom', 'left', 'top', 'right'];

const STEPS: Record<Direction, GridPlace> = {
  up: { column: 0, row: -1 },
  down: { column: 0, row: 1 },
  left: { column: -1, row: 0 },
  right: { column: 1, row: 0 },
};

/** A board seen from one of its sides: which square is shown where. */
export class Layout {
  readonly columns: number;
  readonly rows: number;
  /** The shown squares, row by row. */
  readonly lines: readonly (readonly Cell[])[];
  /** The size of the cut-out corners; 0 for a board with whole corners. */
  readonly corner: number;
  readonly #bottom: Side;
  readonly #cells = new Map<Square, Cell>();
  readonly #grid: readonly (readonly (Cell | null)[])[];

  constructor(board: BoardView, bottom: Side) {
    const turned = bottom === 'west' || bottom === 'east';
    this.columns = turned ? board.ranks : board.files;
    this.rows = turned ? board.files : board.ranks;
    this.#bottom = bottom;
    this.#grid = this.#lay(board);
    this.lines = this.#grid.map((row) => row.filter((cell) => cell !== null));
    this.corner = cornerSize(this.#grid);
  }

  /** Returns the grid position of a square. */
  place(square: Square): GridPlace | null {
    return this.#cells.get(square) ?? null;
  }

  /** The square shown at a place, if there is one. */
  at({ column, row }: GridPlace): Square | null {
    return this.#grid[row]?.[column]?.square ?? null;
  }

  /** The next square in a direction, over holes; `null` at the edge. */
  next(from: Square, direction: Direction): Square | null {
    const step = STEPS[direction];
    let place = this.place(from);
    while (place !== null) {
      place = { column: place.column + step.column, row: place.row + step.row };
      if (place.column < 0 || place.row < 0 || place.column >= this.columns || place.row >= this.rows) return null;
      const square = this.at(place);
      if (square !== null) return square;
    }
    return null;
  }

  /** The first or the last square of the row a square is shown in. */
  rowEnd(from: Square, end: 'first' | 'last'): Square {
    const row = this.lines[this.place(from)?.row ?? -1];
    return row?.at(end === 'first' ? 0 : -1)?.square ?? from;
  }

  /** Returns the side of the screen for a side of the board. */
  placeOf(side: Side): Place {
    const turns = SIDES.indexOf(side) - SIDES.indexOf(this.#bottom) + SIDES.length;
    return PLACES[turns % PLACES.length] ?? 'bottom';
  }

  #lay(board: BoardView): (Cell | null)[][] {
    const holes = new Set(board.holes);
    const grid: (Cell | null)[][] = Array.from({ length: this.rows }, () => Array<null>(this.columns).fill(null));
    const named: { square: Square; file: number; rank: number }[] = [];
    for (let rank = 0; rank < board.ranks; rank += 1) {
      for (let file = 0; file < board.files; file += 1) {
        const square = squareName(file, rank);
        if (!holes.has(square)) named.push({ square, file, rank });
      }
    }
    const lowest = new Map<number, number>();
    const leftmost = new Map<number, number>();
    for (const { file, rank } of named) {
      const { column, row } = turn(board, this.#bottom, file, rank);
      lowest.set(column, Math.max(lowest.get(column) ?? 0, row));
      leftmost.set(row, Math.min(leftmost.get(row) ?? this.columns, column));
    }
    const turned = this.#bottom === 'west' || this.#bottom === 'east';
    for (const { square, file, rank } of named) {
      const { column, row } = turn(board, this.#bottom, file, rank);
      const [fileLabel, rankLabel] = [square.charAt(0), String(rank + 1)];
      const cell: Cell = {
        square,
        column,
        row,
        shade: (file + rank) % 2 === 0 ? 'dark' : 'light',
        columnLabel: lowest.get(column) === row ? (turned ? rankLabel : fileLabel) : null,
        rowLabel: leftmost.get(row) === column ? (turned ? fileLabel : rankLabel) : null,
      };
      this.#cells.set(square, cell);
      const line = grid[row];
      if (line !== undefined) line[column] = cell;
    }
    return grid;
  }
}

/** The square of a file and a rank, both counted from 0. */
export function squareName(file: number, rank: number): Square {
  return `${String.fromCodePoint(0x61 + file)}${rank + 1}`;
}

/**
 * The place of a square when a side is at the bottom. Each player's own left is at the left of its screen: Blue, who
 * looks from file a along the ranks, has the high ranks there.
 */
function turn(board: BoardView, bottom: Side, file: number, rank: number): GridPlace {
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

/** The side so many quarter turns further clockwise. */
export function turnedSide(side: Side, quarters: number): Side {
  return SIDES[(SIDES.indexOf(side) + quarters) % SIDES.length] ?? side;
}

/** The number of holes before the first square of the top row, if all four corners are cut alike. */
function cornerSize(grid: readonly (readonly (Cell | null)[])[]): number {
  const runs = [grid.at(0), grid.at(-1)].flatMap((row) => {
    const cells = row ?? [];
    const first = cells.findIndex((cell) => cell !== null);
    const last = cells.findLastIndex((cell) => cell !== null);
    return [first, cells.length - 1 - last];
  });
  const [size = 0] = runs;
  return runs.every((run) => run === size) ? Math.max(0, size) : 0;
}
