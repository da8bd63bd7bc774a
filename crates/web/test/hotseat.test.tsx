import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Color, TableView } from '../src/protocol/generated.ts';
import { browserPersistence } from '../src/store/persistence.ts';
import { requestingSeat, onlySeat, seatsToResign, activeSeats } from '../src/store/own-seats.ts';
import { loadPreferences } from '../src/store/preferences.ts';
import { foldTable, type TableState } from '../src/store/table.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { PRIVATE_SETTINGS, ScriptedMatch } from './support/match.ts';
import { click, closePage, byTestId, exists, findElement, renderTableAfterSnapshot, pressSquare } from './support/page.tsx';

const ALL: readonly Color[] = ['red', 'blue', 'yellow', 'green'];
const ALONE = { red: 'Ada', blue: 'Ada', yellow: 'Ada', green: 'Ada' };
const MIXED = { red: 'Ada', blue: 'Ben', yellow: 'Ada', green: 'Ben' };

function hotseat(held: Partial<Record<Color, string | null>>): ScriptedMatch {
  const match = new ScriptedMatch('dilkel', held);
  const view: Partial<TableView> = { settings: { ...PRIVATE_SETTINGS, variant: 'dilkel', hotseat: true } };
  match.view = view;
  return match;
}

function stateOf(match: ScriptedMatch, yours: readonly Color[]): TableState {
  const result = foldTable(null, match.snapshot(yours), { viewer: 'id-of-ada', now_ms: 0 });
  if (result.kind !== 'changed') throw new Error(`the snapshot is ${result.kind}`);
  return result.state;
}

describe('the viewer’s seats', () => {
  it('exclude eliminated ones; a single one is the viewer', () => {
    const match = hotseat(MIXED).startMatch('red');
    expect(onlySeat(stateOf(match, ['red']))).toBe('red');
    expect(onlySeat(stateOf(match, ['red', 'yellow']))).toBeNull();
    match.step({
      event: { type: 'eliminated', color: 'yellow', cause: 'resign' },
      state: { eliminated: [{ color: 'yellow', cause: 'resign' }], active_players: ['red', 'blue', 'green'] },
    });
    expect(activeSeats(stateOf(match, ['red', 'yellow']))).toEqual(['red']);
  });

  it('change by taking seats, the lot and leaving', () => {
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

  it('request for the seat to move, and take back the last own move', () => {
    const match = hotseat(MIXED).startMatch('red');
    match.move('h2h4');
    const state = stateOf(match, ['red', 'yellow']);
    expect(requestingSeat(state, 'draw')).toBe('yellow');
    expect(requestingSeat(state, 'takeback')).toBe('red');
    expect(requestingSeat(stateOf(hotseat(MIXED).startMatch('blue'), ['red', 'yellow']), 'takeback')).toBe('yellow');
  });

  it('resign the seat to move, else any', () => {
    expect(seatsToResign(stateOf(hotseat(MIXED).startMatch('yellow'), ['red', 'yellow']))).toEqual(['yellow']);
    expect(seatsToResign(stateOf(hotseat(MIXED).startMatch('blue'), ['red', 'yellow']))).toEqual(['red', 'yellow']);
  });
});

describe('the page of a viewer with several seats', () => {
  beforeEach(() => localStorage.clear());
  afterEach(closePage);

  const play = (match: ScriptedMatch, socket: FakeSocket, mv: string, legal: string[]): void => {
    act(() => socket.receive({ ...match.move(mv), legal_moves: legal }));
  };

  it('plays the seat that is to move', () => {
    const match = hotseat(ALONE).startMatch('red');
    const socket = renderTableAfterSnapshot(match, ALL, ['h2h4']);
    expect(ALL.map((color) => byTestId(`seat-${color}`).dataset['mine'])).toEqual(['true', 'true', 'true', 'true']);
    pressSquare('h2');
    pressSquare('h4');
    play(match, socket, 'h2h4', ['b7c7']);
    pressSquare('b7');
    pressSquare('c7');
    expect(socket.ofKind('move')).toMatchObject([
      { move: 'h2h4', after: 6 },
      { move: 'b7c7', after: 7 },
    ]);
  });

  it('turns the board or not, also on the next visit', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ada' }).startMatch('white');
    const socket = renderTableAfterSnapshot(match, ['white', 'black'], ['e2e4']);
    const bottom = (): string | undefined => findElement('.plate[data-place="bottom"]').dataset['color'];
    play(match, socket, 'e2e4', ['e7e5']);
    expect(bottom()).toBe('white');
    click(byTestId('turns-board'));
    expect(bottom(), 'Black is to move').toBe('black');
    expect(loadPreferences(browserPersistence()).turnsBoard.value).toBe(true);
    play(match, socket, 'e7e5', ['g1f3']);
    expect(bottom()).toBe('white');
    play(match, socket, 'g1f3', ['b8c6']);
    click(byTestId('turns-board'));
    expect(bottom()).toBe('white');
    expect(loadPreferences(browserPersistence()).turnsBoard.value).toBe(false);
  });

  it('requests and resigns for the right seat', () => {
    const match = hotseat(MIXED).startMatch('red');
    const socket = renderTableAfterSnapshot(match, ['red', 'yellow'], ['h2h4']);
    click(byTestId('resign'));
    click(byTestId('resign-confirm'));
    play(match, socket, 'h2h4', []);
    click(byTestId('takeback-ask'));
    click(byTestId('draw-ask'));
    click(byTestId('resign'));
    expect(exists('resign-confirm'), 'the seat is ambiguous').toBe(false);
    click(byTestId('resign-yellow'));
    expect(socket.ofKind('resign').map(({ seat }) => seat)).toEqual(['red', 'yellow']);
    expect(socket.ofKind('request')).toMatchObject([
      { request: 'takeback', seat: 'red' },
      { request: 'draw', seat: 'yellow' },
    ]);
    act(() =>
      socket.receive(
        match.step({
          event: { type: 'requested', request: 'pause', color: 'blue' },
          state: { requests: [{ request: 'pause', by: 'blue', agreed: ['blue', 'green'] }] },
        }),
      ),
    );
    click(byTestId('pause-accept'));
    expect(socket.ofKind('request')[2], 'an answer is for all seats').not.toHaveProperty('seat');
  });

  it('offers open seats, and leaves one or all', () => {
    const match = hotseat({ red: 'Ada', blue: 'Ada', yellow: 'Ben', green: null });
    const socket = renderTableAfterSnapshot(match, ['red', 'blue']);
    expect([exists('leave-yellow'), exists('sit-yellow')]).toEqual([false, false]);
    click(byTestId('sit-green'));
    expect(socket.ofKind('sit')).toMatchObject([{ seat: 'green' }]);
    click(byTestId('leave-blue'));
    click(byTestId('leave'));
    expect(socket.ofKind('leave').map(({ seat }) => seat)).toEqual(['blue', undefined]);
  });

  it('names colors instead of the viewer', () => {
    const match = hotseat(ALONE).startMatch('red');
    renderTableAfterSnapshot(match, ALL, ['h2h4']);
    expect(findElement('.status-head').textContent).toContain('Red to move');
  });
});

describe('the page of a viewer with one seat', () => {
  afterEach(closePage);

  it('offers no second seat and no turning board, and names no color', () => {
    const open = new ScriptedMatch('dilkel', { red: 'Ada', blue: null, yellow: null, green: null });
    renderTableAfterSnapshot(open, 'red');
    expect(ALL.filter((color) => exists(`sit-${color}`))).toEqual([]);
    expect(exists('leave-red')).toBe(false);
    closePage();
    const socket = renderTableAfterSnapshot(new ScriptedMatch('dilkel', { ...MIXED, yellow: 'Cleo' }).startMatch('red'), 'red', ['h2h4']);
    expect(exists('turns-board')).toBe(false);
    click(byTestId('resign'));
    click(byTestId('resign-confirm'));
    click(byTestId('draw-ask'));
    expect([socket.ofKind('resign')[0], socket.ofKind('request')[0]].map((frame) => frame?.seat)).toEqual([undefined, undefined]);
  });
});
