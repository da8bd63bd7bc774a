import {
  VARIANT_FACTS,
  type BoardView,
  type Color,
  type Piece,
  type SeatView,
  type Side,
  type Square,
  type UserView,
  type Variant,
} from '../../src/protocol/generated.ts';
import { squareName } from '../../src/view/board/geometry.ts';

/**
 * Returns a cross board of `size` files and ranks, without its corners of `cut` x `cut` squares.
 */
export function cross(size: number, cut: number): BoardView {
  const holes: Square[] = [];
  const isOuter = (n: number): boolean => n < cut || n >= size - cut;
  for (let rank = 0; rank < size; rank += 1) {
    for (let file = 0; file < size; file += 1) {
      if (isOuter(file) && isOuter(rank)) holes.push(squareName(file, rank));
    }
  }
  return { files: size, ranks: size, holes };
}

/** The board of `dilkel`: 160 squares. */
export const GREAT_CROSS = cross(14, 3);
/** The board of `dilkel-compact`: 128 squares. */
export const SMALL_CROSS = cross(12, 2);
/** The board of `classic`. */
export const CLASSIC_BOARD: BoardView = { files: 8, ranks: 8, holes: [] };

const CROSS_ROW = 'RNBKQBNR';
const CLASSIC_ROW = 'RNBQKBNR';

/** Returns the initial pieces of a cross: Red's rows, rotated to each side. */
export function crossStart(size: number, cut: number): Record<Square, Piece> {
  const pieces: Record<Square, Piece> = {};
  const last = size - 1;
  const turned: readonly (readonly [string, (file: number, rank: number) => Square])[] = [
    ['r', (file, rank) => squareName(file, rank)],
    ['b', (file, rank) => squareName(rank, last - file)],
    ['y', (file, rank) => squareName(last - file, last - rank)],
    ['g', (file, rank) => squareName(last - rank, file)],
  ];
  for (const [color, place] of turned) {
    [...CROSS_ROW].forEach((role, index) => {
      pieces[place(cut + index, 0)] = `${color}${role}`;
      pieces[place(cut + index, 1)] = `${color}P`;
    });
  }
  return pieces;
}

/** Returns the initial pieces of `classic`. */
export function classicStart(): Record<Square, Piece> {
  const pieces: Record<Square, Piece> = {};
  [...CLASSIC_ROW].forEach((role, file) => {
    pieces[squareName(file, 0)] = `w${role}`;
    pieces[squareName(file, 1)] = 'wP';
    pieces[squareName(file, 6)] = 'bP';
    pieces[squareName(file, 7)] = `b${role}`;
  });
  return pieces;
}

/** Returns the board of a variant. */
export function boardOf(variant: Variant): BoardView {
  const { files, corner } = VARIANT_FACTS[variant].board;
  return cross(files, corner);
}

/** Returns the initial pieces of a variant. */
export function startOf(variant: Variant): Record<Square, Piece> {
  const { board, notation } = VARIANT_FACTS[variant];
  return notation === 'PGN' ? classicStart() : crossStart(board.files, board.corner);
}

/** Returns a user with a short name. */
export function user(name: string): UserView {
  return { id: `id-of-${name.toLowerCase()}`, name };
}

const SIDES: Record<Color, Side> = {
  red: 'south',
  blue: 'west',
  yellow: 'north',
  green: 'east',
  white: 'south',
  black: 'north',
};

/** Returns seats in turn order; `null` is an open seat. */
export function seats(held: Partial<Record<Color, string | null>>): SeatView[] {
  return (Object.keys(held) as Color[]).map((color) => {
    const name = held[color];
    return { color, side: SIDES[color], user: name === null || name === undefined ? null : user(name) };
  });
}
