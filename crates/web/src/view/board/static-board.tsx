import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Square } from '../../protocol/generated.ts';
import { colorOf, roleOf, type Pieces, type ColoredSeats } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import type { Cell, GridPosition, Layout } from './geometry.ts';
import type { MoveMark } from './marks.ts';

/** The content of a static board. */
export interface StaticBoardProps {
  readonly layout: Layout;
  readonly pieces: Pieces;
  /** The seats, which determine the colors of the pieces. */
  readonly seats: ColoredSeats;
  /** The squares of each color's last move, see `moveMarks`. */
  readonly marks?: ReadonlyMap<Square, MoveMark>;
  /** The squares of the kings in check. */
  readonly checks?: ReadonlySet<Square>;
  /** A highlighted square, and the targets of the piece on it. */
  readonly highlight?: { readonly square: Square; readonly targets: readonly Square[] } | undefined;
  /** The accessible description; by default the number of pieces of each color. */
  readonly label?: string;
  /** The drawn squares, row by row; by default all squares. */
  readonly rows?: readonly (readonly Cell[])[];
}

/** A board as a single picture with few elements, so that a page can have many of them. */
export function StaticBoard({ layout, pieces, seats, marks, checks, highlight, label, rows = layout.shownRows }: StaticBoardProps): JSX.Element {
  // The dark squares are drawn over a light board, because there would be gaps between two sets of squares.
  const [light, dark] = useMemo(() => [lightPath(rows), darkSquaresPath(rows)], [rows]);
  const positions = useMemo(() => new Map<Square, GridPosition>(rows.flat().map((cell) => [cell.square, cell])), [rows]);
  return (
    <svg
      class="still-board"
      role="img"
      aria-label={label ?? pieceCounts(pieces, seats)}
      data-testid="still-board"
      viewBox={`0 0 ${layout.columns} ${layout.rows}`}
      style={{ '--columns': layout.columns, '--rows': layout.rows }}
    >
      <path class="still-light" d={light} />
      <path class="still-dark" d={dark} />
      {withPositions(positions, marks?.keys() ?? []).map(([square, place]) => {
        const mark = marks?.get(square);
        return (
          <rect
            key={square}
            class="still-mark"
            data-end={mark?.end}
            data-color={mark?.color}
            x={place.column + 0.05}
            y={place.row + 0.05}
            width="0.9"
            height="0.9"
          />
        );
      })}
      {withPositions(positions, highlight === undefined ? [] : [highlight.square]).map(([square, { column, row }]) => (
        <rect key={square} class="still-highlight" x={column} y={row} width="1" height="1" />
      ))}
      {withPositions(positions, checks ?? []).map(([square, place]) => (
        <circle key={square} class="still-check" cx={place.column + 0.5} cy={place.row + 0.5} r="0.45" />
      ))}
      {withPositions(positions, Object.keys(pieces)).map(([square, place]) => {
        const piece = pieces[square] ?? '';
        return (
          <use
            key={square}
            class="still-piece"
            data-color={colorOf(piece, seats)}
            href={`#piece-${roleOf(piece)}`}
            x={place.column + 0.03}
            y={place.row + 0.03}
            width="0.94"
            height="0.94"
          />
        );
      })}
      {withPositions(positions, highlight?.targets ?? []).map(([square, place]) => (
        <circle
          key={square}
          class="still-target"
          data-taken={pieces[square] === undefined ? undefined : ''}
          cx={place.column + 0.5}
          cy={place.row + 0.5}
          r={pieces[square] === undefined ? 0.17 : 0.44}
        />
      ))}
    </svg>
  );
}

/** Returns the outline of all drawn squares, row by row. */
function lightPath(rows: readonly (readonly Cell[])[]): string {
  return rows
    .map((cells) => [cells.at(0), cells.at(-1)] as const)
    .map(([first, last]) => (first === undefined || last === undefined ? '' : `M${first.column} ${first.row}H${last.column + 1}v1H${first.column}z`))
    .join('');
}

/** Returns the outlines of the dark squares. */
function darkSquaresPath(rows: readonly (readonly Cell[])[]): string {
  const cells = rows.flat().filter(({ shade }) => shade === 'dark');
  return cells.map(({ column, row }) => `M${column} ${row}h1v1h-1z`).join('');
}

/** Returns squares with their positions. Squares that are not drawn are left out. */
function withPositions(positions: ReadonlyMap<Square, GridPosition>, squares: Iterable<Square>): (readonly [Square, GridPosition])[] {
  return [...squares].flatMap((square) => {
    const place = positions.get(square);
    return place === undefined ? [] : [[square, place] as const];
  });
}

/** Returns the number of pieces of each color: `Board: Red 16, Blue 15`. */
function pieceCounts(pieces: Pieces, seats: ColoredSeats): string {
  const all = Object.values(pieces);
  const counts = seats.map(({ color }) => [color, all.filter((piece) => colorOf(piece, seats) === color).length] as const);
  return text.table.boardWith(counts.filter(([, count]) => count > 0));
}
