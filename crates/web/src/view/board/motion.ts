import type { Square } from '../../protocol/generated.ts';
import { colorOf, roleOf, type Pieces, type ColoredSeats } from '../../store/pieces.ts';
import { matchesMedia } from '../media.ts';
import type { Layout } from './geometry.ts';

/** Duration of a piece's move from square to square, milliseconds. */
const SLIDE_MS = 170;
/** Duration of an army's fading from the board, milliseconds. */
const FADE_MS = 1_100;
/**
 * Maximum number of moving pieces: if more have moved at once, it was no move, and the board is
 * shown without animation.
 */
const MOST_MOVERS = 2;

/** A piece that went from one square to another. */
export interface Journey {
  readonly from: Square;
  readonly to: Square;
}

/**
 * Returns the pieces that moved between two boards: each that appeared somewhere is matched with a
 * like one that vanished.
 */
export function journeys(before: Pieces, after: Pieces): Journey[] {
  const vanished = Object.keys(before).filter((square) => before[square] !== after[square]);
  const appeared = Object.keys(after).filter((square) => before[square] !== after[square]);
  return appeared.flatMap((to) => {
    const place = vanished.findIndex((from) => before[from] === after[to]);
    const [from] = place === -1 ? [] : vanished.splice(place, 1);
    return from === undefined ? [] : [{ from, to }];
  });
}

/** Lets the pieces that moved slide to where they now are; one that was dropped there by hand is there already. */
export function slide(board: HTMLElement, layout: Layout, before: Pieces, after: Pieces, dropped: Square | null): void {
  if (before === after || isStill()) return;
  const found = journeys(before, after);
  if (found.length > MOST_MOVERS) return;
  for (const { from, to } of found) {
    const [start, end] = [layout.place(from), layout.place(to)];
    const cell = board.querySelector(`[data-square="${to}"]`);
    const piece = cell?.querySelector('.piece') ?? null;
    if (to === dropped || start === null || end === null || cell === null || piece === null) continue;
    const x = (start.column - end.column) * 100;
    const y = (start.row - end.row) * 100;
    piece.animate({ transform: [`translate(${x}%, ${y}%)`, 'none'] }, { duration: SLIDE_MS, easing: 'cubic-bezier(0.2, 0, 0.2, 1)' });
    // On its way it lies over the squares it passes.
    cell.animate({ zIndex: [3, 3] }, { duration: SLIDE_MS });
  }
}

/** The squares of armies that left the board as a whole: their players are out. */
export function armiesGone(before: Pieces, after: Pieces): Square[] {
  const left = new Set(Object.values(after).map((piece) => piece.charAt(0)));
  const gone = Object.keys(before).filter((square) => !left.has(before[square]?.charAt(0) ?? ''));
  return gone.length === Object.keys(before).length ? [] : gone;
}

/** Lets an army that left the board turn grey and fade. */
export function fadeArmies(board: HTMLElement, layout: Layout, seats: ColoredSeats, before: Pieces, after: Pieces): void {
  const overlay = board.querySelector('.ghosts');
  if (before === after || overlay === null || isStill()) return;
  for (const square of armiesGone(before, after)) {
    const [place, piece] = [layout.place(square), before[square]];
    if (place === null || piece === undefined) continue;
    const ghost = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    ghost.setAttribute('class', 'still-piece ghost');
    ghost.setAttribute('data-color', colorOf(piece, seats) ?? '');
    ghost.setAttribute('href', `#piece-${roleOf(piece)}`);
    for (const [name, value] of Object.entries({ x: place.column + 0.03, y: place.row + 0.03, width: 0.94, height: 0.94 })) {
      ghost.setAttribute(name, String(value));
    }
    overlay.append(ghost);
    const frames = [
      { opacity: 1, filter: 'grayscale(0)' },
      { opacity: 0.8, filter: 'grayscale(1)', offset: 0.45 },
      { opacity: 0, filter: 'grayscale(1)' },
    ];
    ghost.animate(frames, { duration: FADE_MS, easing: 'ease-in' }).addEventListener('finish', () => ghost.remove());
  }
}

/** Returns whether animation is off: by the device, the user, or a browser without it. */
export function isStill(): boolean {
  if (typeof document.documentElement.animate !== 'function') return true;
  return document.documentElement.dataset['motion'] === 'off' || matchesMedia('(prefers-reduced-motion: reduce)');
}
