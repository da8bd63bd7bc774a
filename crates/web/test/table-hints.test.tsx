import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CreateTable, TableCreated, TurnHints } from '../src/protocol/generated.ts';
import type { Api } from '../src/store/api.ts';
import { de } from '../src/text/de/index.ts';
import { en } from '../src/text/en/index.ts';
import { setCatalogue } from '../src/text/index.ts';
import { animateRemovedArmies } from '../src/view/board/motion.ts';
import { Layout } from '../src/view/board/geometry.ts';
import { Notices } from '../src/view/notices.tsx';
import { TablePage } from '../src/view/table/table-page.tsx';
import { user, cross } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { PRIVATE_SETTINGS, ScriptedMatch, SETTINGS, TABLE } from './support/match.ts';
import { byTestId, click, closePage, exists, findElement, pressKey, renderPage, renderTableAfterSnapshot, square, submitField } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

const moves = (socket: FakeSocket): string[] => socket.ofKind('move').map((frame) => frame.move);

/** A table with Red to move and these hints. */
function redsTurn(hints: TurnHints, legal: string[], change: (match: ScriptedMatch) => void = () => undefined): FakeSocket {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  change(match);
  match.view = { ...match.view, hints };
  return renderTableAfterSnapshot(match, 'red', legal);
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  closePage();
  setCatalogue(en);
});

describe('a piece that cannot move', () => {
  it('shows that it is pinned, must answer check, or has no square', () => {
    redsTurn({ pinned: ['e1'] }, ['h2h4']);
    click(square('e1'));
    expect(byTestId('stuck').textContent).toBe('This knight is pinned: if it moved, your king would be in check.');
    click(square('d1'));
    expect(byTestId('stuck').textContent).toBe('This rook has no free square to go to.');
    click(square('g1'));
    expect(byTestId('stuck').textContent).toContain('Your king has no square');
    click(square('h2'));
    expect(exists('stuck'), 'this one can move').toBe(false);
    closePage();
    redsTurn({}, ['h2h4'], (match) => (match.state = { ...match.state, checks: ['red'] }));
    click(square('e1'));
    expect(byTestId('stuck').dataset['reason']).toBe('check');
  });

  it('shows nothing for others’ pieces, for empty squares, and on others’ turns', () => {
    redsTurn({}, ['h2h4']);
    click(square('a8'));
    click(square('h7'));
    expect(exists('stuck')).toBe(false);
    closePage();
    renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('blue'), 'red');
    click(square('d1'));
    expect(exists('stuck')).toBe(false);
  });

  it('shows the reason by keyboard and in German', () => {
    setCatalogue(de);
    redsTurn({ pinned: ['d1'] }, ['h2h4']);
    act(() => findElement('[data-square][tabindex="0"]').focus());
    pressKey('Enter');
    expect(byTestId('stuck').textContent).toBe('Dieser Turm ist gefesselt: Zöge er, stünde dein König im Schach.');
  });
});

describe('a move that draws the match for all', () => {
  it('is played only after a confirmation', () => {
    const socket = redsTurn({ stalemating: ['h2h4'] }, ['h2h3', 'h2h4']);
    click(square('h2'));
    click(square('h4'));
    expect(moves(socket)).toEqual([]);
    expect(byTestId('stalemate-warning').textContent).toContain('a draw for everyone');
    expect(document.activeElement, 'Enter does not draw').toBe(byTestId('confirm-cancel'));
    click(byTestId('confirm-cancel'));
    expect(exists('confirm-move')).toBe(false);
    submitField('move-input', 'h2h4');
    click(byTestId('confirm-play'));
    expect(moves(socket)).toEqual(['h2h4']);
  });

  it('needs a confirmation as a premove too', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('green');
    const socket = renderTableAfterSnapshot(match, 'red');
    click(square('h2'));
    click(square('h4'));
    expect(exists('premove')).toBe(true);
    act(() => socket.receive({ ...match.move('m8l8'), legal_moves: ['h2h4'], hints: { stalemating: ['h2h4'] } }));
    expect(moves(socket)).toEqual([]);
    expect(exists('stalemate-warning')).toBe(true);
  });

  it('is explained in the result', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const outcome = { reason: 'stalemate', places: { red: 1, blue: 1, yellow: 1, green: 1 } } as const;
    match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome, stalemated: 'yellow' } });
    renderTableAfterSnapshot(match, 'red');
    expect(byTestId('status').textContent).toBe('DrawYellow cannot move and is not in check: a draw for all four');
  });
});

describe('en passant', () => {
  it('is explained once if a neighbor’s pawn cannot be captured', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.view = { hints: { neighbor_en_passant: ['d4c3'] } };
    const explained = (): string => {
      const { client, socket } = onlineClient();
      renderPage(client, <><TablePage table={TABLE} /><Notices /></>);
      act(() => socket.receive(match.snapshot('red', ['h2h4'])));
      const shown = byTestId('notices').textContent;
      closePage();
      return shown;
    };
    expect(explained()).toContain('Why no en passant on c3? Here it works against the opposite player only, not against a neighbor.');
    expect(explained()).toBe('');
  });
});

describe('the banner', () => {
  it('names the player in check', () => {
    redsTurn({}, [], (match) => (match.state = { ...match.state, turn: 'blue', checks: ['yellow'] }));
    expect(byTestId('in-check').textContent).toBe('Yellow in check');
    closePage();
    redsTurn({}, [], (match) => (match.state = { ...match.state, checks: ['red'] }));
    expect(byTestId('in-check').textContent).toBe('You are in check');
    closePage();
    setCatalogue(de);
    redsTurn({}, [], (match) => (match.state = { ...match.state, turn: 'blue', checks: ['red', 'green'] }));
    expect(byTestId('in-check').textContent).toBe('du und Grün im Schach');
  });

  it('shows that a player is mated unless another player helps', () => {
    redsTurn({}, ['h2h4'], (match) => (match.state = { ...match.state, checks: ['yellow'], facing_mate: ['yellow'] }));
    expect(byTestId('facing-mate').textContent).toBe('Yellow is mated unless someone helps before its turn.');
    closePage();
    redsTurn({}, [], (match) => (match.state = { ...match.state, turn: 'blue', checks: ['red'], facing_mate: ['red'] }));
    expect(byTestId('facing-mate').textContent).toBe('You are mated unless someone helps before your turn.');
  });

  it('does not repeat itself', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.step({ event: { type: 'paused' }, state: { suspension: { kind: 'paused', left_ms: 60_000 } } });
    renderTableAfterSnapshot(match, 'red');
    expect(byTestId('status').textContent).toBe('PausedRed moves first');
  });
});

describe('a move made offline', () => {
  it('is shown as pending until the connection is back', () => {
    const socket = redsTurn({}, ['h2h4']);
    act(() => socket.lose());
    click(square('h2'));
    click(square('h4'));
    expect(byTestId('status').textContent).toBe('Offline: your move is waitingh2-h4 will be sent as soon as you are online.');
    expect(byTestId('status').dataset['mine']).toBe('false');
    expect(square('h4').dataset['piece']).toBe('rP');
    expect([square('h2').dataset['premove'], square('h4').dataset['premove']]).toEqual(['', '']);
  });
});

describe('the seats', () => {
  it('show a running delay beside the clock until it is used up', () => {
    const left_ms = { red: 60_000, blue: 60_000, yellow: 60_000, green: 60_000 };
    const timed = (delay_left_ms: number) => (match: ScriptedMatch) => {
      match.state = { ...match.state, clock: { left_ms, running: 'red', delay_left_ms } };
      match.view = { settings: { ...SETTINGS, variant: 'dilkel', time: { kind: 'delay', base_ms: 60_000, delay_ms: 15_000 } } };
    };
    redsTurn({}, [], timed(9_000));
    expect(byTestId('delay').textContent).toBe('+9');
    expect(findElement('[data-testid="seat-red"] .clock').textContent).toBe('1:00+9');
    expect(document.querySelectorAll('.delay')).toHaveLength(1);
    closePage();
    redsTurn({}, [], timed(0));
    expect(exists('delay')).toBe(false);
  });

  it('label the reserve and the captured pieces', () => {
    renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('red'), 'red');
    const seat = byTestId('seat-red');
    const labels = ['.reserve', '.captured'].map((name) => seat.querySelector<HTMLElement>(name)?.dataset['label']);
    expect(labels).toEqual(['Reserve', 'Taken']);
  });

  it('show the user below the color if others hold several seats', () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Quadrex 3', yellow: 'Quadrex 3', green: 'Cleo' }).startMatch('red');
    renderTableAfterSnapshot(match, 'red');
    const lines = ['.plate-name', '.plate-note-text'].map((line) =>
      ['blue', 'yellow', 'green'].map((color) => findElement(`[data-testid="seat-${color}"] ${line}`).textContent),
    );
    expect(lines).toEqual([['Blue', 'Yellow', 'Cleo'], ['Quadrex 3', 'Quadrex 3', 'Green']]);
  });

  it('are named by color if a user holds several, with the star on the second line', () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Ada', yellow: 'Ben', green: 'Cleo' }).startMatch('red');
    match.view = { host: user('Ada') };
    renderTableAfterSnapshot(match, ['red', 'blue']);
    const names = ['red', 'blue', 'yellow'].map((color) => findElement(`[data-testid="seat-${color}"] .plate-name`).textContent);
    expect(names).toEqual(['Red', 'Blue', 'Ben']);
    expect(findElement('[data-testid="seat-red"] .host-mark').closest('.plate-note')).not.toBeNull();
    expect(findElement('[data-testid="seat-yellow"] .presence').closest('.plate-note')).not.toBeNull();
  });
});

describe('an eliminated player', () => {
  /** A match in which Blue has mated Red and the others play on. */
  function mated(more: Partial<ScriptedMatch['view']> = {}, api: Partial<Api> = {}): FakeSocket {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('blue');
    match.step({
      event: { type: 'eliminated', color: 'red', cause: 'mate', by: ['blue'] },
      state: { active_players: ['blue', 'yellow', 'green'], eliminated: [{ color: 'red', cause: 'mate' }] },
    });
    match.view = more;
    return renderTableAfterSnapshot(match, 'red', undefined, api);
  }

  it('sees what happened, and can start a next match or leave', () => {
    mated();
    expect(byTestId('out').textContent).toContain('You were checkmated by Blue.Your place: 4th.');
    expect(byTestId('next').dataset['next']).toBe('public');
    expect(exists('leave-table')).toBe(true);
  });

  it('gets a private table with the same settings after a private match', async () => {
    const made: CreateTable[] = [];
    const createTable = (body: CreateTable): Promise<TableCreated> => {
      made.push(body);
      return Promise.reject(new Error('no more tables'));
    };
    mated({ settings: { ...PRIVATE_SETTINGS, variant: 'dilkel' } }, { createTable });
    expect(byTestId('next').textContent).toBe('New private table');
    click(byTestId('next'));
    await act(flushTasks);
    expect(made).toEqual([{ ...PRIVATE_SETTINGS, variant: 'dilkel', seat: 'red' }]);
  });
});

describe('answers to what was typed', () => {
  it('are closed by Escape with any focus, and by the end of the match', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const socket = renderTableAfterSnapshot(match, 'red', ['h2h4']);
    submitField('move-input', 'w');
    expect(exists('answers-close')).toBe(true);
    pressKey('Escape');
    expect(exists('answers-close')).toBe(false);
    submitField('move-input', 'w');
    const outcome = { reason: 'agreement', places: { red: 1, blue: 1, yellow: 1, green: 1 } } as const;
    act(() => socket.receive(match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } })));
    expect(exists('answers-close')).toBe(false);
  });
});

describe('new messages', () => {
  it('are counted in the banner and in the title, and the sign leads to the chat', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const socket = renderTableAfterSnapshot(match, 'red', ['h2h4']);
    expect(exists('unread-sign')).toBe(false);
    const message = { type: 'message_sent', user: user('Ben'), color: 'blue', room: 'seated', message: { text: 'hello' } } as const;
    act(() => socket.receive({ ...match.step({ event: message }), legal_moves: ['h2h4'] }));
    expect(byTestId('unread-sign').dataset['count']).toBe('1');
    expect(document.title.startsWith('(1) ')).toBe(true);
    click(byTestId('unread-sign'));
    expect(exists('chat')).toBe(true);
    expect(exists('unread-sign')).toBe(false);
  });
});

it('an army that leaves the board stays visible for a second before it fades', () => {
  const board = document.createElement('div');
  const ghosts = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  ghosts.setAttribute('class', 'ghosts');
  board.append(ghosts);
  const animations: { frames: Keyframe[]; duration: number }[] = [];
  const animate = vi.spyOn(Element.prototype, 'animate').mockImplementation((frames, options) => {
    animations.push({ frames: frames as Keyframe[], duration: Number((options as KeyframeAnimationOptions).duration) });
    return new EventTarget() as Animation;
  });
  const seats = [{ color: 'red' }, { color: 'blue' }] as const;
  animateRemovedArmies(board, new Layout(cross(14, 3), 'south'), seats, { a8: 'bK', g1: 'rK' }, { g1: 'rK' });
  animate.mockRestore();
  expect(animations).toHaveLength(1);
  const stands = animations[0]?.frames.findLast(({ opacity }) => opacity === 1)?.offset ?? 0;
  expect(stands * (animations[0]?.duration ?? 0)).toBeGreaterThanOrEqual(1_000);
});
