import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StateView } from '../src/protocol/generated.ts';
import { ScriptedMatch } from './support/match.ts';
import { click, closePage, hook, isThere, openTable } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

/** A running match with something more in its state. */
function running(state: Partial<StateView>): ScriptedMatch {
  const match = new ScriptedMatch('dilkel', FOUR).begin('red');
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

describe('what all must agree to', () => {
  it('shows each open request to all, with who has agreed, and asks only those who have not', () => {
    const match = running({
      requests: [
        { request: 'pause', by: 'blue', agreed: ['blue', 'red'] },
        { request: 'abort', by: 'green', agreed: ['green'] },
      ],
    });
    const socket = openTable(match, 'red');
    expect(hook('request-pause').textContent).toBe('Blue asks for a pause');
    expect(hook('request-pause').querySelectorAll('[data-agreed="true"]')).toHaveLength(2);
    expect(isThere('pause-accept')).toBe(false);
    click(hook('abort-decline'));
    click(hook('abort-accept'));
    expect(socket.ofKind('request').map(({ request, action: answer }) => [request, answer])).toEqual([
      ['abort', 'decline'],
      ['abort', 'accept'],
    ]);
    closePage();
    openTable(match, null);
    expect(hook('request-pause').querySelector('[role="img"]')?.getAttribute('aria-label')).toBe('Waiting for Yellow and Green');
    expect(isThere('abort-accept')).toBe(false);
  });

  it('asks before asking to abort, and offers no takeback in a rated match', () => {
    const match = running({});
    const socket = openTable(match, 'red');
    click(hook('pause-ask'));
    click(hook('abort-ask'));
    expect(socket.ofKind('request').map((frame) => frame.request)).toEqual(['pause']);
    click(hook('abort-confirm'));
    expect(socket.ofKind('request').map((frame) => frame.request)).toEqual(['pause', 'abort']);
    expect(isThere('takeback-ask')).toBe(true);
    closePage();
    const { settings } = match.snapshot('red').view;
    match.view = { settings: { ...settings, rated: true } };
    openTable(match, 'red');
    expect(isThere('takeback-ask')).toBe(false);
  });
});

describe('a claim together with a move', () => {
  it('is offered once a position has been there twice, and goes with the next move alone', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).begin('white');
    const round = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
    for (const mv of round) match.move(mv);
    const legal = ['g1f3', 'b1c3'];
    openTable(match, 'white', legal);
    expect(isThere('claim-with-move'), 'once is not enough').toBe(false);
    closePage();
    for (const mv of round) match.move(mv);
    const socket = openTable(match, 'white', legal);
    click(hook('claim-with-move'));
    for (const square of ['g1', 'f3']) click(document.querySelector<HTMLElement>(`[data-square="${square}"]`) ?? document.body);
    expect(socket.ofKind('move')).toMatchObject([{ move: 'g1f3', claim_draw: true }]);
  });
});

describe('standstills', () => {
  it('cover the board while paused, count down, and let who is in go on', () => {
    const match = running({ suspension: { kind: 'paused', left_ms: 600_000 } });
    const socket = openTable(match, 'red', ['h2h4']);
    expect(hook('suspension').textContent).toContain('10:00');
    act(() => void vi.advanceTimersByTime(5_000));
    expect(hook('suspension').textContent).toContain('9:55');
    expect(document.querySelector('[data-movable]'), 'nobody may move').toBeNull();
    click(hook('resume'));
    expect(socket.ofKind('resume')).toHaveLength(1);
    const resuming = { kind: 'resuming', color: 'red', left_ms: 10_000 } as const;
    act(() => socket.say(match.step({ event: { type: 'resuming', color: 'red', until_ms: 0 }, state: { suspension: resuming } })));
    act(() => void vi.advanceTimersByTime(4_100));
    expect(hook('suspension').querySelector('.countdown')?.textContent).toBe('6');
    act(() => socket.say(match.step({ event: { type: 'resumed' }, state: { suspension: null } }, ['h2h4'])));
    expect(isThere('suspension')).toBe(false);
    expect(document.querySelector('[data-movable]')).not.toBeNull();
  });

  it('are ended by those still in alone', () => {
    openTable(running({ suspension: { kind: 'paused', left_ms: 600_000 } }), null);
    expect(isThere('suspension')).toBe(true);
    expect(isThere('resume')).toBe(false);
  });

  it('say for whom all wait', () => {
    openTable(running({ suspension: { kind: 'waiting', color: 'blue', left_ms: 86_000_000 } }), 'red');
    expect(hook('suspension').textContent).toContain('Waiting for Blue');
    expect(hook('suspension').textContent).toContain('23:53:20');
  });
});

describe('times at the seats', () => {
  it('count the first move, the limit of a move, and the bank of one who is away', () => {
    const clock = { left_ms: { red: 300_000, blue: 300_000 }, running: 'red', delay_left_ms: 30_000, first_move: true } as const;
    openTable(running({ clock }), 'red');
    act(() => void vi.advanceTimersByTime(5_000));
    expect(hook('seat-red').querySelector('.clock')?.textContent).toBe('0:25');
    expect(hook('seat-red').textContent).toContain('First move');
    expect(hook('seat-blue').querySelector('.clock')?.textContent).toBe('5:00');
    closePage();
    openTable(running({ move_left_ms: 300_000 }), 'blue');
    act(() => void vi.advanceTimersByTime(61_000));
    expect(hook('seat-red').querySelector('.clock')?.textContent).toBe('3:59');
    expect(hook('seat-blue').querySelector('.clock')).toBeNull();
    closePage();
    const match = running({});
    match.view = {
      players: [
        { color: 'red', presence: 'reconnecting', bank_left_ms: 41_000, bank_running: true },
        { color: 'blue', presence: 'reconnecting', bank_left_ms: 30_000 },
        { color: 'green', presence: 'gone' },
      ],
    };
    openTable(match, null);
    act(() => void vi.advanceTimersByTime(11_000));
    expect(hook('seat-red').textContent).toContain('Away, 30 s');
    expect(hook('seat-blue').textContent).toContain('Away, 30 s');
    expect(hook('seat-green').textContent).toContain('Away');
    expect(hook('presence-green').dataset['presence']).toBe('gone');
  });
});
