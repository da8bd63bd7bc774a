import type { Square } from '../../protocol/generated.ts';
import { colorOf, roleOf, type Pieces, type ColoredSeats } from '../../store/pieces.ts';
import { matchesMedia } from '../media.ts';
import type { Layout } from './geometry.ts';

/** The duration of a piece's move, in milliseconds. */
const SLIDE_MS = 170;
/**
 * The duration of the fading of a removed army, in milliseconds. The army stays visible for the
 * first half, so that nobody misses it.
 */
const FADE_MS = 2_000;
/**
 * The largest number of moving pieces that is animated. If more have moved, the change was not a
 * single move.
 */
const MAX_MOVING_PIECES = 2;

/** The origin and target of a piece that has moved. */
export interface PieceMovement {
  readonly from: Square;
  readonly to: Square;
}

/**
 * Returns the pieces that moved between two positions. A piece that appeared on a square is matched
 * with an equal piece that disappeared from another square.
 */
export function pieceMovements(before: Pieces, after: Pieces): PieceMovement[] {
  const vanished = Object.keys(before).filter((square) => before[square] !== after[square]);
  const appeared = Object.keys(after).filter((square) => before[square] !== after[square]);
  return appeared.flatMap((to) => {
    const index = vanished.findIndex((from) => before[from] === after[to]);
    const [from] = index === -1 ? [] : vanished.splice(index, 1);
    return from === undefined ? [] : [{ from, to }];
  });
}

/**
 * Animates the moved pieces, except a piece that was dropped by hand, which is on its square
 * already.
 */
export function animateMoves(board: HTMLElement, layout: Layout, before: Pieces, after: Pieces, droppedOn: Square | null): void {
  if (before === after || isAnimationOff()) return;
  const found = pieceMovements(before, after);
  if (found.length > MAX_MOVING_PIECES) return;
  for (const { from, to } of found) {
    const [start, end] = [layout.positionOf(from), layout.positionOf(to)];
    const cell = board.querySelector(`[data-square="${to}"]`);
    const piece = cell?.querySelector('.piece') ?? null;
    if (to === droppedOn || start === null || end === null || cell === null || piece === null) continue;
    const x = (start.column - end.column) * 100;
    const y = (start.row - end.row) * 100;
    const slide = piece.animate({ transform: [`translate(${x}%, ${y}%)`, 'none'] }, { duration: SLIDE_MS, easing: 'cubic-bezier(0.2, 0, 0.2, 1)' });
    // The moving piece covers the squares that it passes. If this style were animated, the page's
    // main thread would be busy for each frame.
    cell.toggleAttribute('data-moving', true);
    slide.addEventListener('finish', () => cell.removeAttribute('data-moving'));
  }
}

/**
 * Returns the squares of the armies that were removed as a whole, which happens when a player is
 * eliminated.
 */
export function removedArmies(before: Pieces, after: Pieces): Square[] {
  const left = new Set(Object.values(after).map((piece) => piece.charAt(0)));
  const gone = Object.keys(before).filter((square) => !left.has(before[square]?.charAt(0) ?? ''));
  return gone.length === Object.keys(before).length ? [] : gone;
}

/** Animates removed armies: they turn grey and fade. */
export function animateRemovedArmies(board: HTMLElement, layout: Layout, seats: ColoredSeats, before: Pieces, after: Pieces): void {
  const overlay = board.querySelector('.ghosts');
  const squares = before === after || overlay === null || isAnimationOff() ? [] : removedArmies(before, after);
  if (overlay === null || squares.length === 0) return;
  // The pieces fade as one group, so the browser composes one layer.
  const ghosts = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  ghosts.setAttribute('class', 'ghost-army');
  for (const square of squares) {
    const [position, piece] = [layout.positionOf(square), before[square]];
    if (position === null || piece === undefined) continue;
    const fadingPiece = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    fadingPiece.setAttribute('class', 'still-piece ghost');
    fadingPiece.setAttribute('data-color', colorOf(piece, seats) ?? '');
    fadingPiece.setAttribute('href', `#piece-${roleOf(piece)}`);
    for (const [name, value] of Object.entries({ x: position.column + 0.03, y: position.row + 0.03, width: 0.94, height: 0.94 })) {
      fadingPiece.setAttribute(name, String(value));
    }
    ghosts.append(fadingPiece);
  }
  overlay.append(ghosts);
  const frames = [
    { opacity: 1, filter: 'grayscale(0)' },
    { opacity: 1, filter: 'grayscale(1)', offset: 0.5 },
    { opacity: 0, filter: 'grayscale(1)' },
  ];
  ghosts.animate(frames, { duration: FADE_MS, easing: 'ease-in' }).addEventListener('finish', () => ghosts.remove());
}

/**
 * Returns whether animations are off, because of the device's settings, the user's preferences, or
 * a browser that does not support them.
 */
export function isAnimationOff(): boolean {
  if (typeof document.documentElement.animate !== 'function') return true;
  return document.documentElement.dataset['motion'] === 'off' || matchesMedia('(prefers-reduced-motion: reduce)');
}
