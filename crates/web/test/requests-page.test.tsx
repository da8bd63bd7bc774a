import { afterEach, describe, expect, it } from 'vitest';
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

afterEach(closePage);

describe('what all must agree to', () => {
  it('shows each open request to all, with who has agreed, and asks only those who have not', () => {
    const match = running({
      requests: [
        { request: 'takeback', by: 'blue', agreed: ['blue', 'red'] },
        { request: 'draw', by: 'green', agreed: ['green'] },
      ],
    });
    const socket = openTable(match, 'red');
    expect(hook('request-takeback').textContent).toBe('Blue asks to take a move back');
    expect(hook('request-takeback').querySelectorAll('[data-agreed="true"]')).toHaveLength(2);
    expect(isThere('takeback-accept')).toBe(false);
    click(hook('draw-decline'));
    click(hook('draw-accept'));
    expect(socket.ofKind('request').map(({ request, act: answer }) => [request, answer])).toEqual([
      ['draw', 'decline'],
      ['draw', 'accept'],
    ]);
    closePage();
    openTable(match, null);
    expect(hook('request-takeback').querySelector('[role="img"]')?.getAttribute('aria-label')).toBe('Still asked: Yellow and Green');
    expect(isThere('draw-accept')).toBe(false);
  });

  it('offers no takeback in a rated match', () => {
    const match = running({});
    openTable(match, 'red');
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
    expect(socket.ofKind('move')).toMatchObject([{ mv: 'g1f3', claim_draw: true }]);
  });
});
