import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { Move } from '../src/protocol/generated.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { ScriptedMatch } from './support/match.ts';
import { closePage, byTestId, exists, pressKey, renderTableAfterSnapshot, pressSquare, square, submitField } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };
const sent = (socket: FakeSocket): string[] => socket.ofKind('move').map((frame) => frame.move);
const marked = (): (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>('[data-premove]')].map((cell) => cell.dataset['square']).toSorted();

/** Green is to move, then Ada as Red. */
function scene(): { match: ScriptedMatch; socket: FakeSocket } {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('yellow');
  return { match, socket: renderTableAfterSnapshot(match, 'red') };
}

function redToMove(match: ScriptedMatch, socket: FakeSocket, legal: Move[]): void {
  act(() => socket.receive(match.move('g13g12')));
  const { mv, ...more } = { mv: 'm7l7', squares: { m7: null, l7: 'gP' } };
  const frame = match.move(mv, more);
  act(() => socket.receive({ ...frame, legal_moves: legal }));
}

afterEach(closePage);

describe('a premove', () => {
  it('is made by two clicks, shown, kept through another player’s move, and sent if legal', () => {
    const { match, socket } = scene();
    pressSquare('h2');
    expect(document.querySelector('[data-target]'), 'the legal moves are unknown').toBeNull();
    pressSquare('h4');
    expect(marked()).toEqual(['h2', 'h4']);
    expect(square('h2').dataset['piece'], 'the piece stays on its square').toBe('rP');
    expect(byTestId('premove').textContent).toContain('h2-h4');
    expect(sent(socket)).toEqual([]);
    act(() => socket.receive(match.move('g13g12')));
    expect(marked()).toEqual(['h2', 'h4']);
    const frame = match.move('m7l7');
    act(() => socket.receive({ ...frame, legal_moves: ['h2h3', 'h2h4'] }));
    expect(socket.ofKind('move')).toMatchObject([{ move: 'h2h4', after: frame.seq }]);
    expect(marked()).toEqual([]);
    expect(square('h4').dataset['piece']).toBe('rP');
  });

  it('is dropped with a notice if it is not legal', () => {
    const { match, socket } = scene();
    submitField('move-input', 'h2h4');
    expect(marked()).toEqual(['h2', 'h4']);
    redToMove(match, socket, ['h2h3']);
    expect(sent(socket)).toEqual([]);
    expect(marked()).toEqual([]);
    expect(square('h2').dataset['movable']).toBe('');
  });

  it('is replaced by another one, and canceled by a click or Escape', () => {
    const { match, socket } = scene();
    submitField('move-input', 'h2h4');
    submitField('move-input', 'g2g3');
    expect(marked()).toEqual(['g2', 'g3']);
    pressSquare('f8');
    expect(marked()).toEqual([]);
    submitField('move-input', 'h2h4');
    pressKey('Escape');
    expect(exists('premove')).toBe(false);
    redToMove(match, socket, ['h2h4', 'g2g3']);
    expect(sent(socket)).toEqual([]);
  });

  it('may be typed onto an own piece, as a recapture', () => {
    const { match, socket } = scene();
    submitField('move-input', 'h2g3');
    submitField('move-input', 'e1g2');
    expect(marked()).toEqual(['e1', 'g2']);
    redToMove(match, socket, ['e1g2']);
    expect(sent(socket)).toEqual(['e1g2']);
  });

  it('recaptures by two clicks on an own piece', () => {
    const { match, socket } = scene();
    pressSquare('e1');
    pressSquare('g2');
    expect(marked()).toEqual(['e1', 'g2']);
    act(() => socket.receive(match.move('g13g12')));
    const taken = match.move('m7l7', { squares: { m7: null, g2: 'gQ' } });
    act(() => socket.receive({ ...taken, legal_moves: ['e1g2', 'h2h3'] }));
    expect(sent(socket)).toEqual(['e1g2']);
  });

  it('picks the other piece as well', () => {
    const { match, socket } = scene();
    pressSquare('e1');
    pressSquare('g2');
    expect(square('g2').getAttribute('aria-selected')).toBe('true');
    pressSquare('g3');
    expect(marked()).toEqual(['g2', 'g3']);
    pressSquare('e1');
    pressSquare('g2');
    pressSquare('g2');
    expect(marked(), 'a second click drops it').toEqual([]);
    expect(document.querySelector('[data-picked]')).toBeNull();
    redToMove(match, socket, ['e1g2', 'g2g3']);
    expect(sent(socket)).toEqual([]);
  });

  it('picks another piece on the player’s own turn', () => {
    const { match, socket } = scene();
    redToMove(match, socket, ['e1f3', 'g2g3']);
    pressSquare('e1');
    pressSquare('g2');
    expect(square('g2').getAttribute('aria-selected')).toBe('true');
    pressSquare('g3');
    expect(sent(socket)).toEqual(['g2g3']);
  });

  it('asks for its promotion on its turn', () => {
    const { match, socket } = scene();
    submitField('move-input', 'h2h4');
    redToMove(match, socket, ['h2h4q', 'h2h4n']);
    expect(sent(socket)).toEqual([]);
    act(() => byTestId('promote-n').click());
    expect(sent(socket)).toEqual(['h2h4n']);
  });
});
