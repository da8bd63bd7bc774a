import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { Move } from '../src/protocol/generated.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { ScriptedMatch } from './support/match.ts';
import { closePage, hook, isThere, key, openTable, press, square, write } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };
const sent = (socket: FakeSocket): string[] => socket.ofKind('move').map((frame) => frame.move);
const marked = (): (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>('[data-premove]')].map((cell) => cell.dataset['square']).toSorted();

/** Green is to move, then Red, who is Ada. */
function scene(): { match: ScriptedMatch; socket: FakeSocket } {
  const match = new ScriptedMatch('dilkel', FOUR).begin('yellow');
  return { match, socket: openTable(match, 'red') };
}

function redToMove(match: ScriptedMatch, socket: FakeSocket, legal: Move[]): void {
  act(() => socket.say(match.move('g13g12')));
  const { mv, ...more } = { mv: 'm7l7', squares: { m7: null, l7: 'gP' } };
  const frame = match.move(mv, more);
  act(() => socket.say({ ...frame, legal_moves: legal }));
}

afterEach(closePage);

describe('a move made in advance', () => {
  it('is made by two presses, shown, kept through another’s move, and sent when it is legal', () => {
    const { match, socket } = scene();
    press('h2');
    expect(document.querySelector('[data-target]'), 'what will be legal is not known').toBeNull();
    press('h4');
    expect(marked()).toEqual(['h2', 'h4']);
    expect(square('h2').dataset['piece'], 'the piece stays').toBe('rP');
    expect(hook('premove').textContent).toContain('h2-h4');
    expect(sent(socket)).toEqual([]);
    act(() => socket.say(match.move('g13g12')));
    expect(marked()).toEqual(['h2', 'h4']);
    const frame = match.move('m7l7');
    act(() => socket.say({ ...frame, legal_moves: ['h2h3', 'h2h4'] }));
    expect(socket.ofKind('move')).toMatchObject([{ move: 'h2h4', after: frame.seq }]);
    expect(marked()).toEqual([]);
    expect(square('h4').dataset['piece']).toBe('rP');
  });

  it('is dropped with a word when it is not legal', () => {
    const { match, socket } = scene();
    write('move-input', 'h2h4');
    expect(marked()).toEqual(['h2', 'h4']);
    redToMove(match, socket, ['h2h3']);
    expect(sent(socket)).toEqual([]);
    expect(marked()).toEqual([]);
    expect(square('h2').dataset['movable']).toBe('');
  });

  it('gives way to another, to a press and to Escape', () => {
    const { match, socket } = scene();
    write('move-input', 'h2h4');
    write('move-input', 'g2g3');
    expect(marked()).toEqual(['g2', 'g3']);
    press('f8');
    expect(marked()).toEqual([]);
    write('move-input', 'h2h4');
    key('Escape');
    expect(isThere('premove')).toBe(false);
    redToMove(match, socket, ['h2h4', 'g2g3']);
    expect(sent(socket)).toEqual([]);
  });

  it('may go where an own piece stands when it is typed, to take back there', () => {
    const { match, socket } = scene();
    write('move-input', 'h2g3');
    write('move-input', 'e1g2');
    expect(marked()).toEqual(['e1', 'g2']);
    redToMove(match, socket, ['e1g2']);
    expect(sent(socket)).toEqual(['e1g2']);
  });

  it('takes back by two presses where an own piece stands', () => {
    const { match, socket } = scene();
    press('e1');
    press('g2');
    expect(marked()).toEqual(['e1', 'g2']);
    act(() => socket.say(match.move('g13g12')));
    const taken = match.move('m7l7', { squares: { m7: null, g2: 'gQ' } });
    act(() => socket.say({ ...taken, legal_moves: ['e1g2', 'h2h3'] }));
    expect(sent(socket)).toEqual(['e1g2']);
  });

  it('leaves the other piece in hand, for who thought better of it', () => {
    const { match, socket } = scene();
    press('e1');
    press('g2');
    expect(square('g2').getAttribute('aria-selected')).toBe('true');
    press('g3');
    expect(marked()).toEqual(['g2', 'g3']);
    press('e1');
    press('g2');
    press('g2');
    expect(marked(), 'the same piece once more puts it back').toEqual([]);
    expect(document.querySelector('[data-picked]')).toBeNull();
    redToMove(match, socket, ['e1g2', 'g2g3']);
    expect(sent(socket)).toEqual([]);
  });

  it('changes the piece on one’s own turn, as ever', () => {
    const { match, socket } = scene();
    redToMove(match, socket, ['e1f3', 'g2g3']);
    press('e1');
    press('g2');
    expect(square('g2').getAttribute('aria-selected')).toBe('true');
    press('g3');
    expect(sent(socket)).toEqual(['g2g3']);
  });

  it('asks what its pawn becomes once the turn has come', () => {
    const { match, socket } = scene();
    write('move-input', 'h2h4');
    redToMove(match, socket, ['h2h4q', 'h2h4n']);
    expect(sent(socket)).toEqual([]);
    act(() => hook('promote-n').click());
    expect(sent(socket)).toEqual(['h2h4n']);
  });
});
