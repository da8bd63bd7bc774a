import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Square } from '../../protocol/generated.ts';
import { colorOf, roleOf, type Pieces, type ColoredSeats } from '../../store/pieces.ts';
import type { Cell, GridPosition, Layout } from './geometry.ts';
import type { MoveMark } from './marks.ts';
import { PieceIcon } from './piece-icon.tsx';
import { StaticBoard } from './static-board.tsx';

/** The position of a finger on a board. */
export interface LensPosition {
  readonly square: Square;
  /** The finger's distances from the left and the top edge of the window, in CSS pixels. */
  readonly x: number;
  readonly y: number;
  /** The size of a square, in CSS pixels. */
  readonly cell_px: number;
}

/**
 * The size of squares, in CSS pixels, from which no lens is needed, because a finger does not hide
 * them.
 */
const MAX_SQUARE_PX = 40;
/** The width of the lens with its border, in CSS pixels. */
const WIDTH_PX = 152;
const BORDER_PX = 3;
const CELL_PX = 50;
/** The number of squares on each side of the middle one that the lens shows at least in part. */
const REACH = Math.ceil(((WIDTH_PX - 2 * BORDER_PX) / CELL_PX - 1) / 2);
/** The distance from the finger to the middle of the lens, in CSS pixels. */
const OFFSET_PX = 118;
/** The delay of the lens, in milliseconds. A short tap neither shows nor renders it. */
const DELAY_MS = 90;

interface LensProps {
  readonly at: ReadonlySignal<LensPosition | null>;
  readonly layout: Layout;
  readonly seats: ColoredSeats;
  readonly pieces: Pieces;
  readonly marks: ReadonlyMap<Square, MoveMark>;
  /** The square of the selected piece. */
  readonly inHand: Square | null;
}

/**
 * An enlarged view of the squares under a finger. If the squares are small, it shows which of them
 * is the target.
 */
export function Lens({ at, layout, seats, pieces, marks, inHand }: LensProps): JSX.Element | null {
  const { value } = at;
  const isNeeded = value !== null && value.cell_px < MAX_SQUARE_PX;
  const isOpen = useDelay(isNeeded);
  const place = value === null ? null : layout.positionOf(value.square);
  const isShown = isOpen && place !== null;
  const [column, row] = [place?.column ?? 0, place?.row ?? 0];
  const board = useMemo(
    () => (isShown ? <StaticBoard layout={layout} seats={seats} pieces={pieces} marks={marks} label="" rows={squaresAround(layout, { column, row })} /> : null),
    [isShown, layout, seats, pieces, marks, column, row],
  );
  if (value === null || !isShown) return null;
  const carried = inHand === null ? undefined : pieces[inHand];
  const color = carried === undefined ? null : colorOf(carried, seats);
  const role = carried === undefined ? null : roleOf(carried);
  const middle = (steps: number): number => WIDTH_PX / 2 - (steps + 0.5) * CELL_PX;
  return (
    <div class="lens" aria-hidden="true" data-testid="lens" data-over={value.square} style={lensStyle(value)}>
      <div
        class="lens-board"
        style={{ width: `${layout.columns * CELL_PX}px`, transform: `translate(${middle(column)}px, ${middle(row)}px)` }}
      >
        {board}
      </div>
      <div class="lens-target" style={{ width: `${CELL_PX}px`, height: `${CELL_PX}px` }}>
        {color !== null && role !== null && value.square !== inHand && <PieceIcon color={color} role={role} />}
      </div>
    </div>
  );
}

/** Returns the squares that the lens shows at a position, row by row. */
function squaresAround(layout: Layout, { column, row }: GridPosition): Cell[][] {
  const isNear = (cell: Cell): boolean => Math.abs(cell.column - column) <= REACH;
  return layout.shownRows.slice(Math.max(row - REACH, 0), row + REACH + 1).map((cells) => cells.filter(isNear));
}

/** Returns true once its argument has been true for the delay of the lens. */
function useDelay(isNeeded: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    setOver(false);
    if (!isNeeded) return undefined;
    const timer = setTimeout(() => setOver(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isNeeded]);
  return isNeeded && isOver;
}

/**
 * Returns the position of the lens: above the finger, or beside it on the wider side if there is no
 * room above.
 */
function lensStyle({ x, y }: LensPosition): { width: string; height: string; left: string; top: string } {
  const half = WIDTH_PX / 2;
  const fits = y - OFFSET_PX - half > 0;
  const besideX = x > innerWidth / 2 ? x - OFFSET_PX : x + OFFSET_PX;
  const left = Math.min(Math.max((fits ? x : besideX) - half, 4), innerWidth - WIDTH_PX - 4);
  const top = Math.max((fits ? y - OFFSET_PX : y) - half, 4);
  return { width: `${WIDTH_PX}px`, height: `${WIDTH_PX}px`, left: `${left}px`, top: `${top}px` };
}
