import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SECRET, ScriptedMatch } from './support/match.ts';
import { closePage, byTestId, exists, renderTableAfterSnapshot } from './support/page.tsx';

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

test('the start of a match shows the draw of the first player for a while', () => {
  const match = new ScriptedMatch('dilkel', HELD);
  const socket = renderTableAfterSnapshot(match, 'red');
  expect(exists('draw-animation')).toBe(false);
  act(() => socket.receive(begins(match)));
  expect(byTestId('draw-animation').dataset['color']).toBe('yellow');
  expect(byTestId('draw-animation').textContent).toBe('Yellow moves first');
  act(() => void vi.advanceTimersByTime(2_700));
  expect(exists('draw-animation')).toBe(false);
});

test('any key or click ends the draw', () => {
  const match = new ScriptedMatch('dilkel', HELD);
  const socket = renderTableAfterSnapshot(match, 'red');
  act(() => socket.receive(begins(match)));
  act(() => void dispatchEvent(new Event('pointerdown')));
  expect(exists('draw-animation')).toBe(false);
});

test('late viewers and matches of two players have no draw', () => {
  renderTableAfterSnapshot(new ScriptedMatch('dilkel', HELD).startMatch('red'), 'red', []);
  expect(exists('draw-animation')).toBe(false);
  closePage();
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' });
  const socket = renderTableAfterSnapshot(match, 'white');
  act(() => socket.receive(match.step({ event: { type: 'started', first_player: 'white', secret: SECRET }, state: { phase: 'running', turn: 'white' } })));
  expect(exists('draw-animation')).toBe(false);
});
