import { act } from 'preact/test-utils';
import { afterEach, expect, it } from 'vitest';
import type { FakeSocket } from './support/fake-socket.ts';
import { ScriptedMatch } from './support/match.ts';
import { click, closePage, hook, isThere, key, press, showTable, square } from './support/page.tsx';

afterEach(() => {
  closePage();
  localStorage.clear();
});

/** White's table, where moves are confirmed. */
function open(): FakeSocket {
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Cleo' }).begin('white');
  const { client, socket } = showTable();
  client.preferences.confirm.value = true;
  act(() => socket.say(match.snapshot('white', ['e2e4', 'd2d4'])));
  return socket;
}

const moves = (socket: FakeSocket): string[] => socket.sent.flatMap((frame) => (frame.t === 'move' ? [frame.move] : []));

it('a move waits until it is confirmed', () => {
  const socket = open();
  press('e2');
  press('e4');
  expect(moves(socket)).toEqual([]);
  expect(square('e4').dataset['premove'], 'it is seen where it would go').toBe('');
  expect(document.activeElement).toBe(hook('confirm-play'));
  click(hook('confirm-play'));
  expect(moves(socket)).toEqual(['e2e4']);
  expect(isThere('confirm-move')).toBe(false);
});

it('another may be made in its place, and Escape takes it back', () => {
  const socket = open();
  press('e2');
  press('e4');
  press('d2');
  press('d4');
  expect(hook('confirm-move').textContent).toContain('d2-d4');
  key('Escape');
  expect(isThere('confirm-move')).toBe(false);
  expect(moves(socket)).toEqual([]);
});
