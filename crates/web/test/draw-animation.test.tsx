import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SECRET, ScriptedMatch } from './support/match.ts';
import { closePage, hook, isThere, openTable } from './support/page.tsx';

const HELD = { red: 'Ada', blue: 'Ben', yellow: 'Cy', green: 'Di' };

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  closePage();
  vi.useRealTimers();
});

function begins(match: ScriptedMatch): ReturnType<ScriptedMatch['step']> {
  const event = { type: 'started', first_player: 'yellow', secret: SECRET } as const;
  return match.step({ event, state: { phase: 'running', turn: 'yellow' } });
}

test('who sees a match begin sees the beginner drawn, for a while', () => {
  const match = new ScriptedMatch('dilkel', HELD);
  const socket = openTable(match, 'red');
  expect(isThere('draw-animation')).toBe(false);
  act(() => socket.say(begins(match)));
  expect(hook('draw-animation').dataset['color']).toBe('yellow');
  expect(hook('draw-animation').textContent).toBe('Yellow moves first');
  act(() => void vi.advanceTimersByTime(2_700));
  expect(isThere('draw-animation')).toBe(false);
});

test('any key or press ends the draw at once', () => {
  const match = new ScriptedMatch('dilkel', HELD);
  const socket = openTable(match, 'red');
  act(() => socket.say(begins(match)));
  act(() => void dispatchEvent(new Event('pointerdown')));
  expect(isThere('draw-animation')).toBe(false);
});

test('who comes later sees none, and where White begins nobody is drawn', () => {
  openTable(new ScriptedMatch('dilkel', HELD).begin('red'), 'red', []);
  expect(isThere('draw-animation')).toBe(false);
  closePage();
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' });
  const socket = openTable(match, 'white');
  act(() => socket.say(match.step({ event: { type: 'started', first_player: 'white', secret: SECRET }, state: { phase: 'running', turn: 'white' } })));
  expect(isThere('draw-animation')).toBe(false);
});
