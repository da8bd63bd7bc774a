import { expect, test } from 'vitest';
import { capturesBy } from '../src/store/capture-counts.ts';
import { foldTable } from '../src/store/table.ts';
import { ScriptedMatch } from './support/match.ts';

test('captures are grouped by color and role, the most valuable first', () => {
  const match = new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Ben', yellow: 'Cy', green: 'Di' }).startMatch('red');
  match.move('h1b4');
  match.move('b5c5');
  match.move('d13d12');
  match.move('m4l4');
  match.move('b4a4');
  match.move('c5d5');
  match.move('d12d11');
  match.move('l4k4');
  match.move('a4b6');
  const result = foldTable(null, match.snapshot(null), { viewer: null, now_ms: 0 });
  if (result.kind !== 'changed') throw new Error(result.kind);
  expect(capturesBy('red', result.state)).toEqual([
    { color: 'blue', role: 'R', count: 1 },
    { color: 'blue', role: 'P', count: 2 },
  ]);
  expect(capturesBy('green', result.state)).toEqual([]);
});

test('a capture en passant is marked as such', () => {
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
  match.move('e2e5');
  match.move('d7d5');
  match.move('e5d6', { squares: { e5: null, d5: null, d6: 'wP' } });
  match.move('c7d6', { squares: { c7: null, d6: 'bP' } });
  const result = foldTable(null, match.snapshot(null), { viewer: null, now_ms: 0 });
  if (result.kind !== 'changed') throw new Error(result.kind);
  expect(result.state.plies.map(({ isEnPassant: isInPassing, captured }) => [isInPassing, captured])).toEqual([
    [false, null],
    [false, null],
    [true, 'bP'],
    [false, 'wP'],
  ]);
});
