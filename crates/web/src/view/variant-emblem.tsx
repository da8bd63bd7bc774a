import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Color, type SeatView, type Side, type Variant } from '../protocol/generated.ts';
import { factsOf } from '../store/variants.ts';

/** The size of a board that fills the picture, in squares. Smaller boards are drawn smaller. */
const FULL_SIZE = 14;
/** The size of the smallest board's picture, relative to the largest picture. */
const LEAST_SCALE = 0.8;
/** The number of bars of an army on a board without arms. */
const ARMY_RANKS = 2;
/** The gap between two bars, in squares. */
const GAP = 0.3;

/** The parts of an emblem, in squares of the board from its top left. */
export interface EmblemParts {
  /** The `viewBox` of the picture. */
  readonly viewBox: string;
  /** The outline of the area between the armies. */
  readonly board: string;
  readonly lightCells: string;
  /** The bars of each army: the ranks of its arm. */
  readonly armies: readonly { readonly color: Color; readonly path: string }[];
}

/** Returns the parts of a variant's emblem, which follow from the facts about its board. */
export function emblemParts(variant: Variant): EmblemParts {
  const { board: { files, ranks, corner }, seats } = factsOf(variant);
  const size = Math.max(files, ranks);
  const box = size / Math.min(1, Math.max(LEAST_SCALE, size / FULL_SIZE));
  const [width, height] = [files - 2 * corner, ranks - 2 * corner];
  // In a small picture, large cells are easier to see. A board without arms has no room for them
  // between the armies.
  const cell = corner === 0 ? 2 : 4;
  let lightCells = '';
  for (let y = 0; y < height; y += cell) {
    for (let x = y % (2 * cell); x < width; x += 2 * cell) {
      lightCells += rectangle(corner + x, corner + y, Math.min(cell, width - x), Math.min(cell, height - y));
    }
  }
  const depth = corner === 0 ? ARMY_RANKS : corner;
  const bar = (side: Side, rank: number): string => {
    switch (side) {
      case 'south':
        return rectangle(corner, ranks - rank - 1 + GAP, width, 1 - GAP);
      case 'north':
        return rectangle(corner, rank, width, 1 - GAP);
      case 'west':
        return rectangle(rank, corner, 1 - GAP, height);
      case 'east':
        return rectangle(files - rank - 1 + GAP, corner, 1 - GAP, height);
    }
  };
  return {
    viewBox: [(files - box) / 2, (ranks - box) / 2, box, box].map(short).join(' '),
    board: rectangle(corner, corner, width, height),
    lightCells,
    armies: seats.map(({ color, side }) => ({ color, path: Array.from({ length: depth }, (_, rank) => bar(side, rank)).join('') })),
  };
}

function rectangle(x: number, y: number, width: number, height: number): string {
  return `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

interface VariantEmblemProps {
  readonly variant: Variant;
  /** The seats of a table; the armies of open seats are pale. */
  readonly seats?: readonly SeatView[];
}

/** The emblem of a variant: its board, with the ranks of each army's arm in the army's color. */
export function VariantEmblem({ variant, seats }: VariantEmblemProps): JSX.Element {
  const { viewBox, board, lightCells, armies } = useMemo(() => emblemParts(variant), [variant]);
  const isHeld = (color: Color): boolean => seats === undefined || seats.some((seat) => seat.color === color && seat.user !== null);
  return (
    <svg class="emblem" viewBox={viewBox} data-variant={variant} aria-hidden="true">
      <path class="brand-dark" d={board} />
      <path class="brand-light" d={lightCells} />
      {armies.map(({ color, path }) => (
        <path key={color} class="arm" data-color={color} data-held={isHeld(color)} d={path} />
      ))}
    </svg>
  );
}
