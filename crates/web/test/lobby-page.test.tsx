import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Api } from '../src/store/api.ts';
import type { Client } from '../src/store/client.ts';
import { Lobby } from '../src/view/lobby/lobby.tsx';
import { page } from '../src/view/router.ts';
import type { TableSummary } from '../src/protocol/generated.ts';
import { seats, user } from './support/boards.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { lobbyOf } from './support/lobby.ts';
import { MATCH, SETTINGS, TABLE } from './support/match.ts';
import { closePage, hook, isThere, show } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';
import { noticesOf } from './support/notices.ts';

const OTHER = '0192f0c1-2345-7000-8000-000000000002';
const THIRD = '0192f0c1-2345-7000-8000-000000000003';

function openLobby(quickJoin: Api['quickJoin']): Client {
  return openLobbyWith({ quickJoin }).client;
}

function openLobbyWith(api: Partial<Api>): { client: Client; socket: FakeSocket } {
  const { client, socket } = onlineClient(api);
  show(client, <Lobby />);
  return { client, socket };
}

function summary(table: string, phase: TableSummary['phase'], white: string): TableSummary {
  return {
    table,
    phase,
    settings: SETTINGS,
    host: user(white),
    seats: seats({ white, black: phase === 'running' ? 'Cem' : null }),
    plies: 0,
    spectators: 0,
    created_at_ms: Number(table.slice(-1)),
  };
}

const tables = (kind: string): (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>(`[data-testid="${kind}"]`)].map((row) => row.dataset['table']);

async function pressQuick(variant: string): Promise<void> {
  await act(async () => {
    hook(`quick-${variant}`).click();
    await Promise.resolve();
  });
}

afterEach(() => {
  closePage();
  history.replaceState(null, '', '/');
  page.value = { kind: 'lobby' };
});

describe('playing at once', () => {
  it('asks for the variant and goes to the table', async () => {
    const asked: unknown[] = [];
    openLobby((body) => {
      asked.push(body);
      return Promise.resolve({ table: TABLE, match: MATCH, seat: 'white' });
    });
    await pressQuick('classic');
    expect(asked).toEqual([{ variant: 'classic' }]);
    expect(page.value).toEqual({ kind: 'table', table: TABLE });
  });

  it('asks once while the answer is on its way', async () => {
    const asked: unknown[] = [];
    openLobby((body) => {
      asked.push(body);
      return new Promise(() => undefined);
    });
    await pressQuick('dilkel');
    await pressQuick('classic');
    expect(asked).toEqual([{ variant: 'dilkel' }]);
  });

  it('says why there is no seat, and can be asked again', async () => {
    const client = openLobby(() => Promise.reject(new Refusal('rate_limited', 'too many tables')));
    await pressQuick('dilkel');
    expect(noticesOf(client)).toEqual(['Too many tables.']);
    expect(hook('quick-dilkel')).toHaveProperty('disabled', false);
    expect(page.value).toEqual({ kind: 'lobby' });
  });
});

describe('tables that come and go', () => {
  it('keeps the place of one that waits no longer, so that none moves under the finger', () => {
    const { socket } = openLobbyWith({});
    act(() => socket.say(lobbyOf([summary(OTHER, 'open', 'Dua'), summary(TABLE, 'open', 'Ben')])));
    expect(tables('table-row')).toEqual([OTHER, TABLE]);
    act(() => socket.say({ t: 'lobby_removed', table: OTHER }));
    const rows = [...document.querySelectorAll<HTMLElement>('.rows > li')].map((row) => row.dataset['table']);
    expect(rows).toEqual([OTHER, TABLE]);
    expect(tables('gone-row')).toEqual([OTHER]);
  });

  it('shows what is played as boards, and one that has ended until another begins', () => {
    const { socket } = openLobbyWith({});
    act(() => socket.say(lobbyOf([summary(TABLE, 'running', 'Ben')])));
    expect(tables('live')).toEqual([TABLE]);
    act(() => socket.say({ t: 'lobby_removed', table: TABLE }));
    expect(tables('live')).toEqual([TABLE]);
    act(() => socket.say({ t: 'lobby_table', table: summary(OTHER, 'running', 'Dua') }));
    expect(tables('live')).toEqual([OTHER]);
  });

  it('names one\'s own tables first where it is one\'s turn', () => {
    const { socket } = openLobbyWith({});
    const mine = [summary(OTHER, 'running', 'Ada'), summary(TABLE, 'running', 'Ada')];
    act(() => socket.say(lobbyOf(mine)));
    expect(tables('table-row')).toEqual([OTHER, TABLE]);
    expect(tables('live')).toEqual([]);
    act(() => socket.say({ t: 'lobby_table', table: { ...summary(TABLE, 'running', 'Ada'), turn: 'white' } }));
    expect(tables('table-row')).toEqual([TABLE, OTHER]);
    expect(document.querySelector('[data-your-turn="true"]')?.textContent).toContain('Your move');
    act(() => socket.say({ t: 'lobby_table', table: { ...summary(TABLE, 'running', 'Ada'), turn: 'black' } }));
    expect(document.querySelector('[data-your-turn="true"]')).toBeNull();
    // Whoever is in the lobby is away from its tables.
    expect(socket.sent.filter(({ t }) => t === 'watch')).toEqual([]);
  });
});

describe('more tables than there is room for', () => {
  it('are counted, and come page by page, none twice', async () => {
    const asked: unknown[] = [];
    const counts = { open: 3, running: 0, players: 0 };
    const pages = [{ tables: [summary(OTHER, 'open', 'Dua'), summary(THIRD, 'open', 'Eve')], next: THIRD, counts }, { tables: [summary(TABLE, 'open', 'Ben')], counts }];
    const { socket } = openLobbyWith({
      tables: (before) => {
        asked.push(before);
        return Promise.resolve(pages[asked.length - 1] ?? { tables: [], counts });
      },
    });
    act(() => socket.say(lobbyOf([summary(OTHER, 'open', 'Dua')], 2)));
    expect(hook('more-tables').querySelector('h2')?.textContent).toBe('And 2 more tables');
    expect(tables('table-row')).toEqual([OTHER]);
    const press = (): Promise<void> =>
      act(async () => {
        hook('tables-more').click();
        await Promise.resolve();
      });
    await press();
    expect(tables('table-row')).toEqual([OTHER, THIRD]);
    await press();
    expect(tables('table-row')).toEqual([OTHER, THIRD, TABLE]);
    expect(asked).toEqual([undefined, THIRD]);
    expect(isThere('tables-more')).toBe(false);
  });

  it('can be asked for again after a failure, and are not there where all are shown', async () => {
    const { socket } = openLobbyWith({});
    act(() => socket.say(lobbyOf([summary(OTHER, 'open', 'Dua')])));
    expect(isThere('more-tables')).toBe(false);
    act(() => socket.say(lobbyOf([summary(OTHER, 'open', 'Dua')], 1)));
    await act(async () => {
      hook('tables-more').click();
      await Promise.resolve();
    });
    expect(hook('more-tables').textContent).toContain('could not be loaded');
    expect(hook('tables-more')).toHaveProperty('disabled', false);
  });
});

describe('an empty lobby', () => {
  it('says what one can do, and only then', () => {
    const { socket } = openLobbyWith({});
    expect(isThere('invitation')).toBe(false);
    act(() => socket.say(lobbyOf([])));
    expect(isThere('invitation')).toBe(true);
    act(() => socket.say({ t: 'lobby_table', table: summary(TABLE, 'open', 'Ben') }));
    expect(isThere('invitation')).toBe(false);
  });

  it('makes a table for one screen with one press, every seat taken', async () => {
    const made: unknown[] = [];
    const { socket } = openLobbyWith({
      createTable: (body) => {
        made.push(body);
        return Promise.resolve({ table: TABLE, match: MATCH });
      },
    });
    act(() => socket.say(lobbyOf([])));
    await act(async () => {
      hook('one-screen').click();
      await Promise.resolve();
    });
    expect(made).toMatchObject([{ variant: 'dilkel', privacy: 'private', hotseat: true, seat: 'red' }]);
    const sits = socket.ofKind('sit');
    expect(sits.map(({ seat }) => seat)).toEqual(['blue', 'yellow', 'green']);
    expect(page.value).toEqual({ kind: 'lobby' });
    await act(async () => {
      for (const { cmd } of sits) socket.say({ t: 'ack', table: TABLE, match: MATCH, cmd, seq: 3 });
      await Promise.resolve();
    });
    expect(page.value).toEqual({ kind: 'table', table: TABLE });
  });
});
