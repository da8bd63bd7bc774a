import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { Api } from '../src/store/api.ts';
import { page } from '../src/view/router.ts';
import type { Color } from '../src/protocol/generated.ts';
import { MATCH, ScriptedMatch, SETTINGS, TABLE, type MatchStep } from './support/match.ts';
import { click, closePage, byTestId, exists, findElement, renderTableAfterSnapshot } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };
const PLACES = { red: 1, blue: 2, yellow: 3, green: 4 };

/** Returns a match that Red has won. */
function over(): ScriptedMatch {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  const outcome = { reason: 'resign', places: PLACES } as const;
  match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } });
  return match;
}

/** Adds a request for a rematch, or an agreement. */
function asks(...agreed: Color[]): MatchStep {
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

describe('after the match', () => {
  it('one click requests a rematch, and the agreements are shown', () => {
    const match = over();
    const socket = renderTableAfterSnapshot(match, 'red');
    click(byTestId('rematch'));
    expect(socket.ofKind('rematch')).toMatchObject([{ action: 'ask' }]);
    act(() => socket.receive(match.step(asks('red'))));
    expect(byTestId('rematch')).toHaveProperty('disabled', true);
    act(() => socket.receive(match.step(asks('red', 'green'))));
    expect(byTestId('rematch-state').dataset['agreed']).toBe('2');
    expect(findElement('[data-testid="rematch-state"] [role="img"]').getAttribute('aria-label')).toBe('Waiting for Blue and Yellow');
    act(() => socket.receive(match.step({ event: { type: 'rematch_declined', color: 'blue' }, state: { rematch: null } })));
    expect(byTestId('rematch-state').textContent).toBe('Blue does not want a rematch');
    expect(byTestId('rematch'), 'only the player who declined may request it again').toHaveProperty('disabled', true);
  });

  it('the same click agrees to another player’s request', () => {
    const match = over();
    match.step(asks('green'));
    const socket = renderTableAfterSnapshot(match, 'red');
    expect(byTestId('rematch-state').textContent).toBe('Green wants a rematch');
    click(byTestId('rematch'));
    click(byTestId('rematch-decline'));
    expect(socket.ofKind('rematch').map((frame) => frame.action)).toEqual(['accept', 'decline']);
  });

  it('spectators see the request without buttons; everybody gets the record', () => {
    const match = over();
    match.step(asks('green'));
    renderTableAfterSnapshot(match, null);
    expect(byTestId('rematch-state').textContent).toBe('Green wants a rematch');
    expect(exists('rematch')).toBe(false);
    expect(byTestId('record').getAttribute('href')).toBe(`/api/matches/${MATCH}/record`);
  });

  it('leaving opens the lobby and informs the others', () => {
    history.replaceState(null, '', `/t/${TABLE}`);
    const socket = renderTableAfterSnapshot(over(), 'red');
    click(byTestId('leave-table'));
    expect(socket.ofKind('leave')).toHaveLength(1);
    expect(page.value).toEqual({ kind: 'lobby' });
  });

  it('a player who has declined leaves without another message', () => {
    const match = over();
    match.step(asks('green'));
    for (const color of ['red', 'blue'] as const) match.step({ event: { type: 'rematch_declined', color } });
    const socket = renderTableAfterSnapshot(match, 'red');
    click(byTestId('leave-table'));
    expect(socket.ofKind('leave')).toEqual([]);
  });

  it('another match of the same kind takes one click, and the others are informed', async () => {
    const asked: unknown[] = [];
    const table = '0192f0c1-2345-7000-8000-000000000009';
    const quickJoin: Api['quickJoin'] = (body) => {
      asked.push(body);
      return Promise.resolve({ table, match: MATCH, seat: 'red' });
    };
    const socket = renderTableAfterSnapshot(over(), 'red', undefined, { quickJoin });
    await act(async () => {
      byTestId('next').click();
      await Promise.resolve();
    });
    expect(asked).toEqual([{ variant: 'dilkel', time: { kind: 'none' } }]);
    expect(socket.ofKind('leave')).toHaveLength(1);
    expect(page.value).toEqual({ kind: 'table', table });
  });

  it('the next match after a rated one is rated', async () => {
    const asked: unknown[] = [];
    const match = over();
    match.view = { settings: { ...SETTINGS, variant: 'dilkel', rated: true, time: { kind: 'correspondence', days: 3 } } };
    const quickJoin: Api['quickJoin'] = (body) => (asked.push(body), Promise.resolve({ table: TABLE, match: MATCH, seat: 'red' }));
    renderTableAfterSnapshot(match, 'red', undefined, { quickJoin });
    await act(async () => {
      byTestId('next').click();
      await Promise.resolve();
    });
    expect(asked).toEqual([{ variant: 'dilkel', time: { kind: 'correspondence', days: 3 }, rated: true }]);
  });

  it('an aborted match shows the reason and no places', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.step({
      event: { type: 'aborted', cause: 'first_move' },
      state: { phase: 'ended', turn: null, aborted: 'first_move' },
    });
    renderTableAfterSnapshot(match, 'red');
    expect(byTestId('status').textContent).toBe('AbortedRed did not make a first move in time');
    expect(exists('result')).toBe(false);
    expect(exists('rematch')).toBe(true);
  });

  it('a closed table shows that and offers no rematch', () => {
    const match = over();
    match.step({ event: { type: 'closed' }, state: { closed: true } });
    renderTableAfterSnapshot(match, 'red');
    expect(byTestId('closed').textContent).toContain('This table is closed');
    expect(exists('rematch')).toBe(false);
    expect(exists('leave-table')).toBe(true);
  });

  it('a table that a moderator closed shows the reason', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.step({ event: { type: 'aborted', cause: 'operator' }, state: { phase: 'ended', turn: null, aborted: 'operator' } });
    match.step({ event: { type: 'closed', reason: 'spam' }, state: { closed: true } });
    renderTableAfterSnapshot(match, 'red');
    expect(byTestId('status').textContent).toBe('AbortedBy a moderator');
    expect(byTestId('closed').textContent).toContain('A moderator closed it: spam');
    expect(byTestId('closed').textContent).not.toContain('No one was here');
    expect(exists('rematch')).toBe(false);
  });

  it('a table that closed before a match says so once', () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ada' });
    match.step({ event: { type: 'closed' }, state: { phase: 'ended', closed: true } });
    renderTableAfterSnapshot(match, 'red');
    expect(byTestId('status').textContent).toMatch(/^This table is closed(?!.*closed)/);
    expect(byTestId('closed').textContent).not.toContain('closed');
  });
});
