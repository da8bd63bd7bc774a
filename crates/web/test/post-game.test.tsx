import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { Api } from '../src/store/api.ts';
import { page } from '../src/view/router.ts';
import type { Color } from '../src/protocol/generated.ts';
import { MATCH, ScriptedMatch, TABLE, type Step } from './support/match.ts';
import { click, closePage, hook, isThere, one, openTable } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };
const PLACES = { red: 1, blue: 2, yellow: 3, green: 4 };

/** A match that Red has won. */
function over(): ScriptedMatch {
  const match = new ScriptedMatch('dilkel', FOUR).begin('red');
  const outcome = { reason: 'resign', places: PLACES } as const;
  match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } });
  return match;
}

/** Somebody asks for a rematch, or agrees to one. */
function asks(...agreed: Color[]): Step {
  const [by = 'red', last] = [agreed[0], agreed.at(-1) ?? 'red'];
  const nonce = 'n';
  const event =
    agreed.length === 1
      ? ({ type: 'rematch_requested', color: by, match: TABLE, commitment: '00', nonce } as const)
      : ({ type: 'rematch_agreed', color: last, nonce } as const);
  return { event, state: { rematch: { by, agreed } } };
}

afterEach(() => {
  closePage();
  history.replaceState(null, '', '/');
  page.value = { kind: 'lobby' };
});

describe('after the end', () => {
  it('one press asks for a rematch, and who wants it is shown', () => {
    const match = over();
    const socket = openTable(match, 'red');
    click(hook('rematch'));
    expect(socket.ofKind('rematch')).toMatchObject([{ action: 'ask' }]);
    act(() => socket.say(match.step(asks('red'))));
    expect(hook('rematch')).toHaveProperty('disabled', true);
    act(() => socket.say(match.step(asks('red', 'green'))));
    expect(hook('rematch-state').dataset['agreed']).toBe('2');
    expect(one('[data-testid="rematch-state"] [role="img"]').getAttribute('aria-label')).toBe('Waiting for Blue and Yellow');
    act(() => socket.say(match.step({ event: { type: 'rematch_declined', color: 'blue' }, state: { rematch: null } })));
    expect(hook('rematch-state').textContent).toBe('Blue does not want a rematch');
    expect(hook('rematch'), 'only who declined may ask again').toHaveProperty('disabled', true);
  });

  it('the same press agrees to a rematch that somebody else asked for', () => {
    const match = over();
    match.step(asks('green'));
    const socket = openTable(match, 'red');
    expect(hook('rematch-state').textContent).toBe('Green wants a rematch');
    click(hook('rematch'));
    click(hook('rematch-decline'));
    expect(socket.ofKind('rematch').map((frame) => frame.action)).toEqual(['accept', 'decline']);
  });

  it('spectators see the question and have no answer; the record is there for all', () => {
    const match = over();
    match.step(asks('green'));
    openTable(match, null);
    expect(hook('rematch-state').textContent).toBe('Green wants a rematch');
    expect(isThere('rematch')).toBe(false);
    expect(hook('record').getAttribute('href')).toBe(`/api/matches/${MATCH}/record`);
  });

  it('leaving goes to the lobby and tells the others', () => {
    history.replaceState(null, '', `/t/${TABLE}`);
    const socket = openTable(over(), 'red');
    click(hook('leave-table'));
    expect(socket.ofKind('leave')).toHaveLength(1);
    expect(page.value).toEqual({ kind: 'lobby' });
  });

  it('who has said no already leaves without a word more', () => {
    const match = over();
    match.step(asks('green'));
    for (const color of ['red', 'blue'] as const) match.step({ event: { type: 'rematch_declined', color } });
    const socket = openTable(match, 'red');
    click(hook('leave-table'));
    expect(socket.ofKind('leave')).toEqual([]);
  });

  it('another match of the same kind is one press away, and the others are told', async () => {
    const asked: unknown[] = [];
    const table = '0192f0c1-2345-7000-8000-000000000009';
    const quickJoin: Api['quickJoin'] = (body) => {
      asked.push(body);
      return Promise.resolve({ table, match: MATCH, seat: 'red' });
    };
    const socket = openTable(over(), 'red', undefined, { quickJoin });
    await act(async () => {
      hook('next').click();
      await Promise.resolve();
    });
    expect(asked).toEqual([{ variant: 'dilkel', time: { kind: 'none' } }]);
    expect(socket.ofKind('leave')).toHaveLength(1);
    expect(page.value).toEqual({ kind: 'table', table });
  });

  it('an aborted match says why and has no places', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    match.step({
      event: { type: 'aborted', cause: 'first_move' },
      state: { phase: 'ended', turn: null, aborted: 'first_move' },
    });
    openTable(match, 'red');
    expect(hook('status').textContent).toBe('AbortedAborted: a player did not make the first move in time');
    expect(isThere('result')).toBe(false);
    expect(isThere('rematch')).toBe(true);
  });

  it('a closed table says so and offers no rematch', () => {
    const match = over();
    match.step({ event: { type: 'closed' }, state: { closed: true } });
    openTable(match, 'red');
    expect(hook('closed').textContent).toContain('This table is closed');
    expect(isThere('rematch')).toBe(false);
    expect(isThere('leave-table')).toBe(true);
  });
});
