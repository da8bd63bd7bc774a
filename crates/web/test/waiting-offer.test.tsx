import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Api } from '../src/store/api.ts';
import type { TableSummary } from '../src/protocol/generated.ts';
import { page } from '../src/view/router.ts';
import { seats, user } from './support/boards.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { lobbyFrame } from './support/lobby.ts';
import { MATCH, PRIVATE_SETTINGS, ScriptedMatch, SETTINGS, TABLE } from './support/match.ts';
import { byTestId, click, closePage, exists, renderTableAfterSnapshot } from './support/page.tsx';

const OTHER = '0192f0c1-2345-7000-8000-000000000002';
const PATIENCE_MS = 20_000;

/** The table of Ada, who waits for three other players. */
function wait(host: string, settings = SETTINGS, api: Partial<Api> = {}): FakeSocket {
  const match = new ScriptedMatch('dilkel', { red: 'Ada', blue: null, yellow: null, green: null });
  match.view = { host: user(host), settings: { ...settings, variant: 'dilkel' } };
  return renderTableAfterSnapshot(match, 'red', undefined, api);
}

function pass(ms: number): void {
  act(() => void vi.advanceTimersByTime(ms));
}

/** Runs all pending promise callbacks. */
function pause(): Promise<void> {
  return act(async () => void (await vi.advanceTimersByTimeAsync(0)));
}

function waitingTable(table: string, held: Parameters<typeof seats>[0]): TableSummary {
  return { table, settings: SETTINGS, host: user('Ben'), phase: 'open', seats: seats(held), plies: 0, spectators: 0, created_at_ms: 1 };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  closePage();
  vi.useRealTimers();
  history.replaceState(null, '', '/');
  page.value = { kind: 'lobby' };
});

describe('waiting for players', () => {
  it('for 20 seconds shows the offer of bots, which fill all seats with one press', () => {
    const socket = wait('Ada');
    pass(PATIENCE_MS - 1);
    expect(exists('waiting-offer')).toBe(false);
    pass(1);
    expect(exists('waiting-offer')).toBe(true);
    click(byTestId('offer-bots'));
    expect(socket.ofKind('add_bot').map(({ seat }) => seat)).toEqual(['blue', 'yellow', 'green']);
  });

  it('offers other games to a guest, whose seat is only vacated for another seat', async () => {
    const asked: unknown[] = [];
    const quickJoin: Api['quickJoin'] = (body) => {
      asked.push(body);
      return asked.length === 1 ? Promise.reject(new TypeError('no line')) : Promise.resolve({ table: OTHER, match: MATCH, seat: 'white' });
    };
    const socket = wait('Ben', SETTINGS, { quickJoin });
    pass(PATIENCE_MS);
    expect(exists('offer-bots')).toBe(false);
    const press = async (): Promise<void> => {
      click(byTestId('offer-classic'));
      await pause();
    };
    await press();
    expect(socket.ofKind('leave')).toHaveLength(0);
    await press();
    expect(asked).toEqual([{ variant: 'classic' }, { variant: 'classic' }]);
    expect(socket.ofKind('leave').map(({ table }) => table)).toEqual([TABLE]);
    expect(page.value).toEqual({ kind: 'table', table: OTHER });
  });

  it('lists waiting tables, the fullest of each variant', async () => {
    const socket = wait('Ada');
    pass(PATIENCE_MS);
    expect(socket.ofKind('watch_lobby')).toHaveLength(1);
    const full = waitingTable(OTHER, { white: 'Ben', black: null });
    const empty = waitingTable('empty', { red: 'Cem', blue: null, yellow: null, green: null });
    const own = waitingTable('own', { red: 'Ada', blue: null, yellow: null, green: null });
    const second = waitingTable('second', { white: 'Dua', black: null });
    act(() => socket.receive(lobbyFrame([{ ...empty, settings: { ...SETTINGS, variant: 'dilkel-compact' } }, own, { ...full, created_at_ms: 2 }, second])));
    const offered = [...document.querySelectorAll<HTMLElement>('[data-testid="offer-table"]')];
    expect(offered.map(({ dataset }) => dataset['table'])).toEqual([OTHER, 'empty']);
    click(offered[0] ?? document.body);
    const [sit] = socket.ofKind('sit');
    expect(sit?.table).toBe(OTHER);
    expect(socket.ofKind('leave')).toHaveLength(0);
    await act(async () => {
      socket.receive({ t: 'ack', table: OTHER, match: MATCH, cmd: sit?.cmd ?? '', seq: 3 });
      await vi.advanceTimersByTimeAsync(0);
    });
    expect(socket.ofKind('leave')).toHaveLength(1);
    expect(page.value).toEqual({ kind: 'table', table: OTHER });
  });

  it('shows no offer at a private table', () => {
    wait('Ada', PRIVATE_SETTINGS);
    pass(PATIENCE_MS * 2);
    expect(exists('waiting-offer')).toBe(false);
  });
});
