import { act } from 'preact/test-utils';
import { afterEach, expect, it } from 'vitest';
import type { FakeSocket } from './support/fake-socket.ts';
import { ScriptedMatch } from './support/match.ts';
import { click, closePage, byTestId, exists, pressKey, pressSquare, renderTable, square } from './support/page.tsx';

afterEach(() => {
  closePage();
  localStorage.clear();
});

/** Returns White's table with confirmation of moves. */
function open(): FakeSocket {
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Cleo' }).startMatch('white');
  const { client, socket } = renderTable();
  client.preferences.confirm.value = true;
  act(() => socket.receive(match.snapshot('white', ['e2e4', 'd2d4'])));
  return socket;
}

const moves = (socket: FakeSocket): string[] => socket.sent.flatMap((frame) => (frame.t === 'move' ? [frame.move] : []));

it('a move waits until it is confirmed', () => {
  const socket = open();
  pressSquare('e2');
  pressSquare('e4');
  expect(moves(socket)).toEqual([]);
  expect(square('e4').dataset['premove'], 'its squares are marked').toBe('');
  expect(document.activeElement).toBe(byTestId('confirm-play'));
  click(byTestId('confirm-play'));
  expect(moves(socket)).toEqual(['e2e4']);
  expect(exists('confirm-move')).toBe(false);
});

it('another move replaces it, and Escape cancels it', () => {
  const socket = open();
  pressSquare('e2');
  pressSquare('e4');
  pressSquare('d2');
  pressSquare('d4');
  expect(byTestId('confirm-move').textContent).toContain('d2-d4');
  pressKey('Escape');
  expect(exists('confirm-move')).toBe(false);
  expect(moves(socket)).toEqual([]);
});
