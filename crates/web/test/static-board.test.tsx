import { render } from 'preact';
import { afterEach, expect, test } from 'vitest';
import type { Color, Square } from '../src/protocol/generated.ts';
import { Layout } from '../src/view/board/geometry.ts';
import type { MoveMark } from '../src/view/board/marks.ts';
import { StaticBoard } from '../src/view/board/static-board.tsx';
import { classicStart, crossStart, CLASSIC_BOARD, GREAT_CROSS } from './support/boards.ts';
import { closePage, findElement } from './support/page.tsx';

afterEach(closePage);

const FOUR = (['red', 'blue', 'yellow', 'green'] as const).map((color) => ({ color }));

function pieceAt(column: number, row: number): SVGUseElement | undefined {
  return [...document.querySelectorAll<SVGUseElement>('.still-piece')].find(
    (piece) => Math.floor(Number(piece.getAttribute('x'))) === column && Math.floor(Number(piece.getAttribute('y'))) === row,
  );
}

test('a static board draws every piece in its color at its position', () => {
  render(<StaticBoard layout={new Layout(GREAT_CROSS, 'south')} pieces={crossStart(14, 3)} seats={FOUR} />, document.body);
  expect(document.querySelectorAll('.still-piece')).toHaveLength(64);
  const king = pieceAt(6, 13);
  expect([king?.getAttribute('href'), king?.dataset['color']]).toEqual(['#piece-K', 'red']);
  expect(findElement('.still-board').getAttribute('aria-label')).toBe('Board: Red 16, Blue 16, Yellow 16, Green 16');
});

test('it turns with its layout', () => {
  render(<StaticBoard layout={new Layout(GREAT_CROSS, 'west')} pieces={crossStart(14, 3)} seats={FOUR} />, document.body);
  expect(pieceAt(6, 13)?.dataset['color']).toBe('blue' satisfies Color);
});

test('b is Black if Black plays', () => {
  const seats = [{ color: 'white' as const }, { color: 'black' as const }];
  render(<StaticBoard layout={new Layout(CLASSIC_BOARD, 'south')} pieces={classicStart()} seats={seats} />, document.body);
  expect(pieceAt(4, 0)?.dataset['color']).toBe('black');
});

test('it marks moves and checks, and skips squares outside of the board', () => {
  const marks = new Map<Square, MoveMark>([
    ['h2', { color: 'red', end: 'from' }],
    ['h4', { color: 'red', end: 'to' }],
    ['a1', { color: 'red', end: 'to' }],
  ]);
  const layout = new Layout(GREAT_CROSS, 'south');
  render(<StaticBoard layout={layout} pieces={{}} seats={FOUR} marks={marks} checks={new Set(['g1'])} />, document.body);
  expect([...document.querySelectorAll<SVGElement>('.still-mark')].map((mark) => mark.dataset['end'])).toEqual(['from', 'to']);
  const check = findElement('.still-check');
  expect([check.getAttribute('cx'), check.getAttribute('cy')]).toEqual(['6.5', '13.5']);
});
