import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Looking } from '../src/store/looking.ts';
import { foldTable, type TableState } from '../src/store/table.ts';
import { ScriptedMatch } from './support/match.ts';

const CONTEXT = { viewer: null, now_ms: 0 };

let match: ScriptedMatch;
const state = signal<TableState | null>(null);
let looking: Looking;

function take(frame: Parameters<typeof foldTable>[1]): void {
  const result = foldTable(state.value, frame, CONTEXT);
  if (result.kind === 'changed') state.value = result.state;
}

beforeEach(() => {
  vi.useFakeTimers();
  match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).begin('white');
  match.move('e2e4');
  match.move('e7e5');
  match.move('g1f3');
  state.value = null;
  looking = new Looking(state);
  take(match.snapshot(null));
});
afterEach(() => {
  looking.end();
  vi.useRealTimers();
});

describe('looking back', () => {
  test('at first a match is shown as it is', () => {
    expect([looking.ply.value, looking.shown.value, looking.missed.value]).toEqual([null, state.value, 0]);
  });

  test('one goes back and on move by move, and is live again after the last', () => {
    looking.back();
    expect(looking.ply.value).toBe(2);
    expect(looking.shown.value?.pieces['g1']).toBe('wN');
    looking.back();
    looking.back();
    looking.back();
    expect(looking.ply.value).toBe(0);
    expect(looking.shown.value?.pieces).toEqual(match.start);
    looking.forward();
    expect(looking.shown.value?.pieces['e4']).toBe('wP');
    looking.forward();
    looking.forward();
    expect([looking.ply.value, looking.shown.value]).toEqual([null, state.value]);
    looking.forward();
    expect(looking.ply.value).toBeNull();
  });

  test('new moves are counted and leave one where one is', () => {
    looking.first();
    take(match.move('b8c6'));
    take(match.move('f1b5'));
    expect([looking.ply.value, looking.missed.value]).toEqual([0, 2]);
    looking.forward();
    expect([looking.ply.value, looking.missed.value]).toEqual([1, 2]);
    looking.live();
    expect([looking.ply.value, looking.missed.value]).toEqual([null, 0]);
    looking.back();
    expect(looking.missed.value).toBe(0);
  });

  test('who looks at a move that is taken back is live again', () => {
    looking.back();
    take(match.step({ event: { type: 'taken_back', plies: 2 }, squares: { f3: null, g1: 'wN', e5: null, e7: 'bP' } }));
    expect(looking.ply.value).toBeNull();
    expect(looking.shown.value).toBe(state.value);
  });

  test('the next match is shown from its own beginning', () => {
    looking.first();
    const next = match.snapshot(null);
    take({ ...next, match: '0192f0c1-2345-7000-8000-0000000000bb' });
    expect([looking.ply.value, looking.missed.value]).toEqual([null, 0]);
  });
});

describe('playing by itself', () => {
  test('the moves play from the start when all was seen, and stop when they have caught up', () => {
    looking.play();
    expect([looking.ply.value, looking.isPlaying.value]).toEqual([0, true]);
    vi.advanceTimersByTime(900);
    expect(looking.ply.value).toBe(1);
    vi.advanceTimersByTime(1_800);
    expect([looking.ply.value, looking.isPlaying.value]).toEqual([null, false]);
    vi.advanceTimersByTime(5_000);
    looking.back();
    vi.advanceTimersByTime(5_000);
    expect(looking.ply.value).toBe(2);
  });

  test('it goes on from where one is, and any step stops it', () => {
    looking.back();
    looking.play();
    expect(looking.ply.value).toBe(2);
    looking.play();
    expect(looking.isPlaying.value).toBe(false);
    looking.play();
    looking.back();
    expect([looking.ply.value, looking.isPlaying.value]).toEqual([1, false]);
    vi.advanceTimersByTime(5_000);
    expect(looking.ply.value).toBe(1);
  });

  test('before the first move there is nothing to play', () => {
    state.value = null;
    take(new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).begin('white').snapshot(null));
    looking.play();
    expect(looking.isPlaying.value).toBe(false);
  });
});
