import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Layout } from '../src/view/board/geometry.ts';
import { Lens, type LensPosition } from '../src/view/board/lens.tsx';
import { crossStart, GREAT_CROSS } from './support/boards.ts';
import { closePage, findElement } from './support/page.tsx';

const FOUR = (['red', 'blue', 'yellow', 'green'] as const).map((color) => ({ color }));
const LAYOUT = new Layout(GREAT_CROSS, 'south');
const PIECES = crossStart(14, 3);
/** A finger on a square in the middle of Red's pawns. */
const FINGER: LensPosition = { square: 'g2', x: 180, y: 400, cell_px: 26 };

const lens = (): Element | null => document.querySelector('.lens');

function renderLens(): (position: LensPosition | null) => void {
  const at = signal<LensPosition | null>(null);
  act(() => render(<Lens at={at} layout={LAYOUT} seats={FOUR} pieces={PIECES} marks={new Map()} inHand={null} />, document.body));
  return (position) =>
    act(() => {
      at.value = position;
    });
}

function wait(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  closePage();
  vi.useRealTimers();
});

test('a short tap does not render the lens', () => {
  const aim = renderLens();
  aim(FINGER);
  wait(80);
  expect(lens()).toBeNull();
  aim(null);
  wait(500);
  expect(lens()).toBeNull();
  // The next press waits again.
  aim(FINGER);
  expect(lens()).toBeNull();
  wait(100);
  expect(lens()).not.toBeNull();
});

test('the lens draws only the squares in it, and follows the finger at once', () => {
  const aim = renderLens();
  aim(FINGER);
  wait(100);
  const drawn = (): string[] => [...document.querySelectorAll('.still-piece')].map((piece) => `${Math.floor(Number(piece.getAttribute('x')))} ${Math.floor(Number(piece.getAttribute('y')))}`);
  // The first and the second rank, from file f to file h.
  expect(drawn().toSorted()).toEqual(['5 12', '5 13', '6 12', '6 13', '7 12', '7 13']);
  aim({ ...FINGER, square: 'd1' });
  expect(findElement('.lens').dataset['over']).toBe('d1');
  expect(drawn().toSorted()).toEqual(['3 12', '3 13', '4 12', '4 13']);
});
