import { beforeEach, describe, expect, test } from 'vitest';
import { viewersTurnBegins, soundEventsBetween } from '../src/store/sound-events.ts';
import { foldTable, type TableState } from '../src/store/table.ts';
import type { TableFrame } from '../src/protocol/frames.ts';
import { timeUntilLow_ms } from '../src/view/table/use-sounds.ts';
import { ScriptedMatch } from './support/match.ts';

let match: ScriptedMatch;
let state: TableState;

function folded(before: TableState | null, frame: TableFrame): TableState {
  const result = foldTable(before, frame, { viewer: null, now_ms: 0 });
  if (result.kind !== 'changed') throw new Error(result.kind);
  return result.state;
}

/** Returns the sound events of a frame. */
function sounds(frame: TableFrame): string[] {
  const before = state;
  state = folded(before, frame);
  return soundEventsBetween(before, state);
}

beforeEach(() => {
  match = new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Ben', yellow: 'Cy', green: 'Di' }).startMatch('red');
  state = folded(null, match.snapshot('yellow'));
});

describe('the sounds of frames', () => {
  test('moves, captures and checks sound, and the viewer’s turn after them', () => {
    expect(sounds(match.move('h2h4'))).toEqual(['move']);
    expect(sounds(match.move('b8c8', { checks: ['green'] }))).toEqual(['check', 'own_turn']);
    expect(sounds(match.move('g13h4', { squares: { g13: null, h4: 'yP' } }))).toEqual(['capture']);
  });

  test('an elimination sounds, and the end before all others', () => {
    expect(sounds(match.step({ event: { type: 'eliminated', color: 'blue', cause: 'resign' } }))).toEqual(['elimination']);
    const before = state;
    const out = folded(before, match.step({ event: { type: 'eliminated', color: 'green', cause: 'time' } }));
    const ended = match.step({ event: { type: 'ended', reason: 'time', places: {} }, state: { phase: 'ended', turn: null } });
    expect(soundEventsBetween(before, folded(out, ended))).toEqual(['end']);
  });

  test('chat is silent, and so are the first state and another match', () => {
    expect(sounds(match.step({ event: { type: 'message_sent', user: { id: 'x', name: 'X' }, room: 'seated', message: { phrase: 'hello' } } }))).toEqual([]);
    expect(soundEventsBetween(null, state)).toEqual([]);
    expect(soundEventsBetween({ ...state, match: 'other' }, state)).toEqual([]);
  });
});

test('the viewer’s turn begins once', () => {
  expect(viewersTurnBegins(null, state)).toBe(false);
  const red = folded(null, match.snapshot('red'));
  expect([viewersTurnBegins(null, red), viewersTurnBegins(state, red), viewersTurnBegins(red, red)]).toEqual([true, true, false]);
});

describe('a low clock', () => {
  const timed = (running: 'red' | 'blue', left: number): TableState => {
    const settings = { ...state.settings, time: { kind: 'delay', base_ms: 300_000, delay_ms: 5_000 } } as const;
    const clock = { left_ms: { red: left, blue: left, yellow: left, green: left }, running, delay_left_ms: 5_000 };
    return { ...folded(null, match.snapshot('red')), settings, state: { ...state.state, clock } };
  };

  test('is reported with twenty seconds left, after the delay', () => {
    expect(timeUntilLow_ms(timed('red', 60_000), 0)).toBe(45_000);
    expect(timeUntilLow_ms(timed('red', 60_000), 2_000)).toBe(43_000);
    expect(timeUntilLow_ms(timed('red', 60_000), 15_000)).toBe(30_000);
  });

  test('is reported once, on the viewer’s turn only', () => {
    expect(timeUntilLow_ms(timed('blue', 60_000), 0)).toBeNull();
    expect(timeUntilLow_ms(timed('red', 14_000), 0)).toBeNull();
  });
});
