import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ReplayCursor } from '../src/store/replay-cursor.ts';
import { foldTable, type TableState } from '../src/store/table.ts';
import { ScriptedMatch } from './support/match.ts';

const CONTEXT = { viewer: null, now_ms: 0 };

let match: ScriptedMatch;
const state = signal<TableState | null>(null);
let cursor: ReplayCursor;

function take(frame: Parameters<typeof foldTable>[1]): void {
  const result = foldTable(state.value, frame, CONTEXT);
  if (result.kind === 'changed') state.value = result.state;
}

beforeEach(() => {
  vi.useFakeTimers();
  match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
  match.move('e2e4');
  match.move('e7e5');
  match.move('g1f3');
  state.value = null;
  cursor = new ReplayCursor(state);
  take(match.snapshot(null));
});
afterEach(() => {
  cursor.dispose();
  vi.useRealTimers();
});

describe('replaying a match', () => {
  test('shows the latest position at first', () => {
    expect([cursor.ply.value, cursor.shown.value, cursor.newPlies.value]).toEqual([null, state.value, 0]);
  });

  test('steps back and forward, and is live after the last move', () => {
    cursor.back();
    expect(cursor.ply.value).toBe(2);
    expect(cursor.shown.value?.pieces['g1']).toBe('wN');
    cursor.back();
    cursor.back();
    cursor.back();
    expect(cursor.ply.value).toBe(0);
    expect(cursor.shown.value?.pieces).toEqual(match.start);
    cursor.forward();
    expect(cursor.shown.value?.pieces['e4']).toBe('wP');
    cursor.forward();
    cursor.forward();
    expect([cursor.ply.value, cursor.shown.value]).toEqual([null, state.value]);
    cursor.forward();
    expect(cursor.ply.value).toBeNull();
  });

  test('counts new moves and stays at its position', () => {
    cursor.first();
    take(match.move('b8c6'));
    take(match.move('f1b5'));
    expect([cursor.ply.value, cursor.newPlies.value]).toEqual([0, 2]);
    cursor.forward();
    expect([cursor.ply.value, cursor.newPlies.value]).toEqual([1, 2]);
    cursor.live();
    expect([cursor.ply.value, cursor.newPlies.value]).toEqual([null, 0]);
    cursor.back();
    expect(cursor.newPlies.value).toBe(0);
  });

  test('is live again when the displayed move is taken back', () => {
    cursor.back();
    take(match.step({ event: { type: 'taken_back', plies: 2 }, squares: { f3: null, g1: 'wN', e5: null, e7: 'bP' } }));
    expect(cursor.ply.value).toBeNull();
    expect(cursor.shown.value).toBe(state.value);
  });

  test('starts anew with the next match', () => {
    cursor.first();
    const next = match.snapshot(null);
    take({ ...next, match: '0192f0c1-2345-7000-8000-0000000000bb' });
    expect([cursor.ply.value, cursor.newPlies.value]).toEqual([null, 0]);
  });
});

describe('playback', () => {
  test('starts at the first move when live, and stops at the last', () => {
    cursor.togglePlayback();
    expect([cursor.ply.value, cursor.isPlaying.value]).toEqual([0, true]);
    vi.advanceTimersByTime(900);
    expect(cursor.ply.value).toBe(1);
    vi.advanceTimersByTime(1_800);
    expect([cursor.ply.value, cursor.isPlaying.value]).toEqual([null, false]);
    vi.advanceTimersByTime(5_000);
    cursor.back();
    vi.advanceTimersByTime(5_000);
    expect(cursor.ply.value).toBe(2);
  });

  test('continues from the displayed position, and stops at any step', () => {
    cursor.back();
    cursor.togglePlayback();
    expect(cursor.ply.value).toBe(2);
    cursor.togglePlayback();
    expect(cursor.isPlaying.value).toBe(false);
    cursor.togglePlayback();
    cursor.back();
    expect([cursor.ply.value, cursor.isPlaying.value]).toEqual([1, false]);
    vi.advanceTimersByTime(5_000);
    expect(cursor.ply.value).toBe(1);
  });

  test('does nothing without moves', () => {
    state.value = null;
    take(new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white').snapshot(null));
    cursor.togglePlayback();
    expect(cursor.isPlaying.value).toBe(false);
  });
});
