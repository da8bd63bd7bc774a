import { afterEach, describe, expect, it } from 'vitest';
import { MATCH, ScriptedMatch } from './support/match.ts';
import { closePage, hook, isThere, openTable } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };
const PLACES = { red: 1, blue: 2, yellow: 3, green: 4 };

/** A match that Red has won. */
function over(): ScriptedMatch {
  const match = new ScriptedMatch('dilkel', FOUR).begin('red');
  const outcome = { reason: 'resign', places: PLACES } as const;
  match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } });
  return match;
}

afterEach(closePage);

describe('after the end', () => {
  it('the record is there for all, and so is the way on', () => {
    openTable(over(), null);
    expect(hook('record').getAttribute('href')).toBe(`/api/matches/${MATCH}/record`);
    expect(hook('leave-table').getAttribute('href')).toBe('/');
  });

  it('an aborted match says why and has no places', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    match.step({
      event: { type: 'aborted', cause: 'first_move' },
      state: { phase: 'ended', turn: null, aborted: 'first_move' },
    });
    openTable(match, 'red');
    expect(hook('status').textContent).toBe('AbortedThe match is aborted: a first move did not come');
    expect(isThere('result')).toBe(false);
    expect(isThere('record')).toBe(true);
  });

  it('a closed table says so', () => {
    const match = over();
    match.step({ event: { type: 'closed' }, state: { closed: true } });
    openTable(match, 'red');
    expect(hook('closed').textContent).toContain('This table is closed');
    expect(isThere('leave-table')).toBe(true);
  });
});
