import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Square } from '../../protocol/generated.ts';
import { colorOf, roleOf, type Pieces, type ColoredSeats } from '../../store/pieces.ts';
import type { Layout } from './geometry.ts';
import type { MoveMark } from './marks.ts';
import { PieceArt } from './piece-art.tsx';
import { StillBoard } from './still-board.tsx';

/** Position of a finger on a board. */
export interface LensAt {
  readonly square: Square;
  /** The finger, CSS pixels from the window's top left. */
  readonly x: number;
  readonly y: number;
  /** Size of a square, CSS pixels. */
  readonly cell_px: number;
}

/** Squares as large as this a finger does not hide, CSS pixels. */
const LARGE_ENOUGH_PX = 40;
/** Width of the lens, CSS pixels. */
const WIDTH_PX = 152;
const CELL_PX = 50;
/** From the finger to the middle of the lens above it, CSS pixels. */
const ABOVE_PX = 118;

interface LensProps {
  readonly at: ReadonlySignal<LensAt | null>;
  readonly layout: Layout;
  readonly seats: ColoredSeats;
  readonly pieces: Pieces;
  readonly marks: ReadonlyMap<Square, MoveMark>;
  /** Square of the piece in hand. */
  readonly inHand: Square | null;
}

/** Shows enlarged what a finger hides, beside the finger: where squares are small, one sees which one is meant. */
export function Lens({ at, layout, seats, pieces, marks, inHand }: LensProps): JSX.Element | null {
  const { value } = at;
  const isNeeded = value !== null && value.cell_px < LARGE_ENOUGH_PX;
  const board = useMemo(
    () => (isNeeded ? <StillBoard layout={layout} seats={seats} pieces={pieces} marks={marks} label="" /> : null),
    [isNeeded, layout, seats, pieces, marks],
  );
  const place = value === null ? null : layout.place(value.square);
  if (!isNeeded || place === null) return null;
  const carried = inHand === null ? undefined : pieces[inHand];
  const color = carried === undefined ? null : colorOf(carried, seats);
  const role = carried === undefined ? null : roleOf(carried);
  const middle = (steps: number): number => WIDTH_PX / 2 - (steps + 0.5) * CELL_PX;
  return (
    <div class="lens" aria-hidden="true" data-testid="lens" data-over={value.square} style={besideFinger(value)}>
      <div
        class="lens-board"
        style={{ width: `${layout.columns * CELL_PX}px`, transform: `translate(${middle(place.column)}px, ${middle(place.row)}px)` }}
      >
        {board}
      </div>
      <div class="lens-target" style={{ width: `${CELL_PX}px`, height: `${CELL_PX}px` }}>
        {color !== null && role !== null && value.square !== inHand && <PieceArt color={color} role={role} />}
      </div>
    </div>
  );
}

/** Above the finger; where there is no room, to the side of it that has more. */
function besideFinger({ x, y }: LensAt): { width: string; height: string; left: string; top: string } {
  const half = WIDTH_PX / 2;
  const fits = y - ABOVE_PX - half > 0;
  const aside = x > innerWidth / 2 ? x - ABOVE_PX : x + ABOVE_PX;
  const left = Math.min(Math.max((fits ? x : aside) - half, 4), innerWidth - WIDTH_PX - 4);
  const top = Math.max((fits ? y - ABOVE_PX : y) - half, 4);
  return { width: `${WIDTH_PX}px`, height: `${WIDTH_PX}px`, left: `${left}px`, top: `${top}px` };
}
