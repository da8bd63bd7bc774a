import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StateView } from '../src/protocol/generated.ts';
import { ScriptedMatch, SETTINGS } from './support/match.ts';
import { click, closePage, byTestId, exists, renderTableAfterSnapshot } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

/** A running match with something more in its state. */
function running(state: Partial<StateView>): ScriptedMatch {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  match.state = { ...match.state, ...state };
  return match;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  closePage();
  vi.useRealTimers();
});

describe('requests', () => {
  it('are shown to all with their agreements, with buttons for those who have not answered', () => {
    const match = running({
      requests: [
        { request: 'pause', by: 'blue', agreed: ['blue', 'red'] },
        { request: 'abort', by: 'green', agreed: ['green'] },
      ],
    });
    const socket = renderTableAfterSnapshot(match, 'red');
    expect(byTestId('request-pause').textContent).toBe('Blue asks for a pause');
    expect(byTestId('request-pause').querySelectorAll('[data-agreed="true"]')).toHaveLength(2);
    expect(exists('pause-accept')).toBe(false);
    click(byTestId('abort-decline'));
    click(byTestId('abort-accept'));
    expect(socket.ofKind('request').map(({ request, action: answer }) => [request, answer])).toEqual([
      ['abort', 'decline'],
      ['abort', 'accept'],
    ]);
    closePage();
    renderTableAfterSnapshot(match, null);
    expect(byTestId('request-pause').querySelector('[role="img"]')?.getAttribute('aria-label')).toBe('Waiting for Yellow and Green');
    expect(exists('abort-accept')).toBe(false);
  });

  it('ask before an abort, and offer neither takebacks nor pauses in a rated match', () => {
    const match = running({});
    const socket = renderTableAfterSnapshot(match, 'red');
    click(byTestId('pause-ask'));
    click(byTestId('abort-ask'));
    expect(socket.ofKind('request').map((frame) => frame.request)).toEqual(['pause']);
    click(byTestId('abort-confirm'));
    expect(socket.ofKind('request').map((frame) => frame.request)).toEqual(['pause', 'abort']);
    expect(exists('takeback-ask')).toBe(true);
    closePage();
    const { settings } = match.snapshot('red').view;
    match.view = { settings: { ...settings, rated: true } };
    renderTableAfterSnapshot(match, 'red');
    expect(['takeback-ask', 'pause-ask'].map(exists)).toEqual([false, false]);
    expect(exists('abort-ask')).toBe(true);
  });
});

describe('a draw claim with a move', () => {
  it('is offered after a repetition, and applies to the next move only', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    const round = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
    for (const mv of round) match.move(mv);
    const legal = ['g1f3', 'b1c3'];
    renderTableAfterSnapshot(match, 'white', legal);
    expect(exists('claim-with-move'), 'one occurrence is not enough').toBe(false);
    closePage();
    for (const mv of round) match.move(mv);
    const socket = renderTableAfterSnapshot(match, 'white', legal);
    click(byTestId('claim-with-move'));
    for (const square of ['g1', 'f3']) click(document.querySelector<HTMLElement>(`[data-square="${square}"]`) ?? document.body);
    expect(socket.ofKind('move')).toMatchObject([{ move: 'g1f3', claim_draw: true }]);
  });
});

describe('suspensions', () => {
  it('cover the board, count down, and let remaining players resume', () => {
    const match = running({ suspension: { kind: 'paused', left_ms: 600_000 } });
    const socket = renderTableAfterSnapshot(match, 'red', ['h2h4']);
    expect(byTestId('suspension').textContent).toContain('10:00');
    act(() => void vi.advanceTimersByTime(5_000));
    expect(byTestId('suspension').textContent).toContain('9:55');
    expect(document.querySelector('[data-movable]'), 'nobody may move').toBeNull();
    click(byTestId('resume'));
    expect(socket.ofKind('resume')).toHaveLength(1);
    const resuming = { kind: 'resuming', color: 'red', left_ms: 10_000 } as const;
    act(() => socket.receive(match.step({ event: { type: 'resuming', color: 'red', until_ms: 0 }, state: { suspension: resuming } })));
    act(() => void vi.advanceTimersByTime(4_100));
    expect(byTestId('suspension').querySelector('.countdown')?.textContent).toBe('6');
    act(() => socket.receive(match.step({ event: { type: 'resumed' }, state: { suspension: null } }, ['h2h4'])));
    expect(exists('suspension')).toBe(false);
    expect(document.querySelector('[data-movable]')).not.toBeNull();
  });

  it('can be ended by remaining players only', () => {
    renderTableAfterSnapshot(running({ suspension: { kind: 'paused', left_ms: 600_000 } }), null);
    expect(exists('suspension')).toBe(true);
    expect(exists('resume')).toBe(false);
  });

  it('name the player that all wait for', () => {
    renderTableAfterSnapshot(running({ suspension: { kind: 'waiting', color: 'blue', left_ms: 86_000_000 } }), 'red');
    expect(byTestId('suspension').textContent).toContain('Waiting for Blue');
    expect(byTestId('suspension').textContent).toContain('23:53:20');
  });
});

describe('times at the seats', () => {
  it('show the first move’s limit, a move’s limit, and the bank of an absent player', () => {
    const clock = { left_ms: { red: 300_000, blue: 300_000 }, running: 'red', delay_left_ms: 30_000, first_move: true } as const;
    renderTableAfterSnapshot(running({ clock }), 'red');
    act(() => void vi.advanceTimersByTime(5_000));
    expect(byTestId('seat-red').querySelector('.clock')?.textContent).toBe('0:25');
    expect(byTestId('seat-red').textContent).toContain('First move');
    expect(byTestId('seat-blue').querySelector('.clock')?.textContent).toBe('5:00');
    closePage();
    const slow = running({ clock });
    slow.view = { ...slow.view, settings: { ...SETTINGS, time: { kind: 'correspondence', days: 2 } } };
    renderTableAfterSnapshot(slow, 'red');
    expect(byTestId('seat-red').textContent, 'a first move in correspondence is like every other').toContain('Your move');
    closePage();
    renderTableAfterSnapshot(running({ move_left_ms: 300_000 }), 'blue');
    act(() => void vi.advanceTimersByTime(61_000));
    expect(byTestId('seat-red').querySelector('.clock')?.textContent).toBe('3:59');
    expect(byTestId('seat-blue').querySelector('.clock')).toBeNull();
    closePage();
    const match = running({});
    match.view = {
      players: [
        { color: 'red', presence: 'reconnecting', bank_left_ms: 41_000, bank_running: true },
        { color: 'blue', presence: 'reconnecting', bank_left_ms: 30_000 },
        { color: 'green', presence: 'gone' },
      ],
    };
    renderTableAfterSnapshot(match, null);
    act(() => void vi.advanceTimersByTime(11_000));
    expect(byTestId('seat-red').textContent).toContain('Away, 30 s');
    expect(byTestId('seat-blue').textContent).toContain('Away, 30 s');
    expect(byTestId('seat-green').textContent).toContain('Away');
    expect(byTestId('presence-green').dataset['presence']).toBe('gone');
  });
});
