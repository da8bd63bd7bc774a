import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Color, TableView } from '../src/protocol/generated.ts';
import { browserPersistence } from '../src/store/persistence.ts';
import { requestingSeat, onlySeat, seatsToResign, activeSeats } from '../src/store/own-seats.ts';
import { loadPreferences } from '../src/store/preferences.ts';
import { foldTable, type TableState } from '../src/store/table.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { PRIVATE, ScriptedMatch } from './support/match.ts';
import { click, closePage, hook, isThere, one, openTable, press } from './support/page.tsx';

const ALL: readonly Color[] = ['red', 'blue', 'yellow', 'green'];
const ALONE = { red: 'Ada', blue: 'Ada', yellow: 'Ada', green: 'Ada' };
const MIXED = { red: 'Ada', blue: 'Ben', yellow: 'Ada', green: 'Ben' };

function hotseat(held: Partial<Record<Color, string | null>>): ScriptedMatch {
  const match = new ScriptedMatch('dilkel', held);
  const view: Partial<TableView> = { settings: { ...PRIVATE, variant: 'dilkel', hotseat: true } };
  match.view = view;
  return match;
}

function stateOf(match: ScriptedMatch, yours: readonly Color[]): TableState {
  const result = foldTable(null, match.snapshot(yours), { viewer: 'id-of-ada', now_ms: 0 });
  if (result.kind !== 'changed') throw new Error(`the snapshot is ${result.kind}`);
  return result.state;
}

describe('the seats one holds', () => {
  it('are known apart from those that are out, and one alone is oneself', () => {
    const match = hotseat(MIXED).begin('red');
    expect(onlySeat(stateOf(match, ['red']))).toBe('red');
    expect(onlySeat(stateOf(match, ['red', 'yellow']))).toBeNull();
    match.step({
      event: { type: 'eliminated', color: 'yellow', cause: 'resign' },
      state: { eliminated: [{ color: 'yellow', cause: 'resign' }], active_players: ['red', 'blue', 'green'] },
    });
    expect(activeSeats(stateOf(match, ['red', 'yellow']))).toEqual(['red']);
  });

  it('are followed through sitting down, the lot and getting up', () => {
    const match = hotseat({ red: 'Ada', blue: 'Ben', yellow: null, green: null });
    const received = [
      match.step({ event: { type: 'seated', color: 'yellow', user: { id: 'id-of-ada', name: 'Ada' }, nonce: 'n' } }),
      match.step({ event: { type: 'vacated', color: 'red', reason: 'left' } }),
    ];
    let state = stateOf(hotseat({ red: 'Ada', blue: 'Ben', yellow: null, green: null }), ['red']);
    const seen: (readonly Color[])[] = [];
    for (const frame of received) {
      const result = foldTable(state, frame, { viewer: 'id-of-ada', now_ms: 0 });
      if (result.kind === 'changed') state = result.state;
      seen.push(state.ownSeats);
    }
    expect(seen).toEqual([['red', 'yellow'], ['yellow']]);
  });

  it('ask for the one to move, and take back what one of them did last', () => {
    const match = hotseat(MIXED).begin('red');
    match.move('h2h4');
    const state = stateOf(match, ['red', 'yellow']);
    expect(requestingSeat(state, 'draw')).toBe('yellow');
    expect(requestingSeat(state, 'takeback')).toBe('red');
    expect(requestingSeat(stateOf(hotseat(MIXED).begin('blue'), ['red', 'yellow']), 'takeback')).toBe('yellow');
  });

  it('resign with the one to move, else any', () => {
    expect(seatsToResign(stateOf(hotseat(MIXED).begin('yellow'), ['red', 'yellow']))).toEqual(['yellow']);
    expect(seatsToResign(stateOf(hotseat(MIXED).begin('blue'), ['red', 'yellow']))).toEqual(['red', 'yellow']);
  });
});

describe('the page of one who plays several seats', () => {
  beforeEach(() => localStorage.clear());
  afterEach(closePage);

  const play = (match: ScriptedMatch, socket: FakeSocket, mv: string, legal: string[]): void => {
    act(() => socket.say({ ...match.move(mv), legal_moves: legal }));
  };

  it('plays whichever seat is to move', () => {
    const match = hotseat(ALONE).begin('red');
    const socket = openTable(match, ALL, ['h2h4']);
    expect(ALL.map((color) => hook(`seat-${color}`).dataset['mine'])).toEqual(['true', 'true', 'true', 'true']);
    press('h2');
    press('h4');
    play(match, socket, 'h2h4', ['b7c7']);
    press('b7');
    press('c7');
    expect(socket.ofKind('move')).toMatchObject([
      { move: 'h2h4', after: 6 },
      { move: 'b7c7', after: 7 },
    ]);
  });

  it('has the board rest or turn, as one likes and also on the next visit', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ada' }).begin('white');
    const socket = openTable(match, ['white', 'black'], ['e2e4']);
    const bottom = (): string | undefined => one('.plate[data-place="bottom"]').dataset['color'];
    play(match, socket, 'e2e4', ['e7e5']);
    expect(bottom()).toBe('white');
    click(hook('turns-board'));
    expect(bottom(), 'Black is to move').toBe('black');
    expect(loadPreferences(browserPersistence()).turnsBoard.value).toBe(true);
    play(match, socket, 'e7e5', ['g1f3']);
    expect(bottom()).toBe('white');
    play(match, socket, 'g1f3', ['b8c6']);
    click(hook('turns-board'));
    expect(bottom()).toBe('white');
    expect(loadPreferences(browserPersistence()).turnsBoard.value).toBe(false);
  });

  it('asks and resigns for the right seat', () => {
    const match = hotseat(MIXED).begin('red');
    const socket = openTable(match, ['red', 'yellow'], ['h2h4']);
    click(hook('resign'));
    click(hook('resign-confirm'));
    play(match, socket, 'h2h4', []);
    click(hook('takeback-ask'));
    click(hook('draw-ask'));
    click(hook('resign'));
    expect(isThere('resign-confirm'), 'it is not clear for whom').toBe(false);
    click(hook('resign-yellow'));
    expect(socket.ofKind('resign').map(({ seat }) => seat)).toEqual(['red', 'yellow']);
    expect(socket.ofKind('request')).toMatchObject([
      { request: 'takeback', seat: 'red' },
      { request: 'draw', seat: 'yellow' },
    ]);
    act(() =>
      socket.say(
        match.step({
          event: { type: 'requested', request: 'pause', color: 'blue' },
          state: { requests: [{ request: 'pause', by: 'blue', agreed: ['blue', 'green'] }] },
        }),
      ),
    );
    click(hook('pause-accept'));
    expect(socket.ofKind('request')[2], 'an answer is for all').not.toHaveProperty('seat');
  });

  it('offers open seats, and gives back one or all', () => {
    const match = hotseat({ red: 'Ada', blue: 'Ada', yellow: 'Ben', green: null });
    const socket = openTable(match, ['red', 'blue']);
    expect([isThere('leave-yellow'), isThere('sit-yellow')]).toEqual([false, false]);
    click(hook('sit-green'));
    expect(socket.ofKind('sit')).toMatchObject([{ seat: 'green' }]);
    click(hook('leave-blue'));
    click(hook('leave'));
    expect(socket.ofKind('leave').map(({ seat }) => seat)).toEqual(['blue', undefined]);
  });

  it('names colors, for no one of them is the one who looks', () => {
    const match = hotseat(ALONE).begin('red');
    openTable(match, ALL, ['h2h4']);
    expect(one('.status-head').textContent).toContain('Red to move');
  });
});

describe('the page of one with one seat', () => {
  afterEach(closePage);

  it('offers no second seat and no turning board, and names no seat', () => {
    const open = new ScriptedMatch('dilkel', { red: 'Ada', blue: null, yellow: null, green: null });
    openTable(open, 'red');
    expect(ALL.filter((color) => isThere(`sit-${color}`))).toEqual([]);
    expect(isThere('leave-red')).toBe(false);
    closePage();
    const socket = openTable(new ScriptedMatch('dilkel', { ...MIXED, yellow: 'Cleo' }).begin('red'), 'red', ['h2h4']);
    expect(isThere('turns-board')).toBe(false);
    click(hook('resign'));
    click(hook('resign-confirm'));
    click(hook('draw-ask'));
    expect([socket.ofKind('resign')[0], socket.ofKind('request')[0]].map((frame) => frame?.seat)).toEqual([undefined, undefined]);
  });
});
