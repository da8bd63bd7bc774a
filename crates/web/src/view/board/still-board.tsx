import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Square } from '../../protocol/generated.ts';
import { colorOf, roleOf, type Pieces, type ColoredSeats } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import type { GridPlace, Layout } from './geometry.ts';
import type { MoveMark } from './marks.ts';

/** Content of a still board. */
export interface StillBoardProps {
  readonly layout: Layout;
  readonly pieces: Pieces;
  /** Seats of the match, for the colors of the pieces. */
  readonly seats: ColoredSeats;
  /** The squares of each color's last move, see `moveMarks`. */
  readonly marks?: ReadonlyMap<Square, MoveMark>;
  /** The squares of the kings that are in check. */
  readonly checks?: ReadonlySet<Square>;
  /** A square that is looked at, and where what stands there may go. */
  readonly look?: { readonly square: Square; readonly targets: readonly Square[] } | undefined;
  /** Accessible description; by default the numbers of pieces of each color. */
  readonly label?: string;
}

/** A board to look at alone: a single picture of few elements, cheap enough for many on a page. */
export function StillBoard({ layout, pieces, seats, marks, checks, look, label }: StillBoardProps): JSX.Element {
  const [light, dark] = useMemo(() => [ground(layout, 'light'), ground(layout, 'dark')], [layout]);
  return (
    <svg
      class="still-board"
      role="img"
      aria-label={label ?? counts(pieces, seats)}
      data-testid="still-board"
      viewBox={`0 0 ${layout.columns} ${layout.rows}`}
      style={{ '--columns': layout.columns, '--rows': layout.rows }}
    >
      <path class="still-light" d={light} />
      <path class="still-dark" d={dark} />
      {placed(layout, marks?.keys() ?? []).map(([square, place]) => {
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
      {placed(layout, look === undefined ? [] : [look.square]).map(([square, { column, row }]) => (
        <rect key={square} class="still-highlight" x={column} y={row} width="1" height="1" />
      ))}
      {placed(layout, checks ?? []).map(([square, place]) => (
        <circle key={square} class="still-check" cx={place.column + 0.5} cy={place.row + 0.5} r="0.45" />
      ))}
      {placed(layout, Object.keys(pieces)).map(([square, place]) => {
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
      {placed(layout, look?.targets ?? []).map(([square, place]) => (
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

/** The squares of one shade as one shape. */
function ground(layout: Layout, shade: 'light' | 'dark'): string {
  const cells = layout.lines.flat().filter((cell) => cell.shade === shade);
  return cells.map(({ column, row }) => `M${column} ${row}h1v1h-1z`).join('');
}

/** Squares with the places where they are shown; a square that this board does not have is left out. */
function placed(layout: Layout, squares: Iterable<Square>): (readonly [Square, GridPlace])[] {
  return [...squares].flatMap((square) => {
    const place = layout.place(square);
    return place === null ? [] : [[square, place] as const];
  });
}

/** `Board: Red 16, Blue 15`. */
function counts(pieces: Pieces, seats: ColoredSeats): string {
  const all = Object.values(pieces);
  const held = seats.map(({ color }) => [color, all.filter((piece) => colorOf(piece, seats) === color).length] as const);
  return text.table.boardWith(held.filter(([, count]) => count > 0));
}
