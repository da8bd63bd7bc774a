import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Api } from '../src/store/api.ts';
import type { Client } from '../src/store/client.ts';
import { Lobby } from '../src/view/lobby/lobby.tsx';
import { page } from '../src/view/router.ts';
import type { CreateTable, TableSummary } from '../src/protocol/generated.ts';
import { demoMatch } from '../src/store/demo-match.ts';
import { matchSummary } from './support/archive.ts';
import { seats, user } from './support/boards.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { lobbyFrame, ownTable } from './support/lobby.ts';
import { MATCH, SETTINGS, TABLE } from './support/match.ts';
import { byTestId, closePage, exists, findElement, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';
import { noticesOf } from './support/notices.ts';

const OTHER = '0192f0c1-2345-7000-8000-000000000002';
const THIRD = '0192f0c1-2345-7000-8000-000000000003';

function openLobby(quickJoin: Api['quickJoin']): Client {
  return openLobbyWith({ quickJoin }).client;
}

function openLobbyWith(api: Partial<Api>): { client: Client; socket: FakeSocket } {
  const { client, socket } = onlineClient(api);
  renderPage(client, <Lobby />);
  act(() => socket.receive({ t: 'own_tables', tables: [] }));
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
    byTestId(`game-${variant}`).click();
    await Promise.resolve();
  });
  await act(async () => {
    byTestId(`quick-${variant}`).click();
    await Promise.resolve();
  });
}

afterEach(() => {
  closePage();
  localStorage.clear();
  history.replaceState(null, '', '/');
  page.value = { kind: 'lobby' };
});

describe('quick join', () => {
  it('requests the variant and opens the table', async () => {
    const asked: unknown[] = [];
    openLobby((body) => {
      asked.push(body);
      return Promise.resolve({ table: TABLE, match: MATCH, seat: 'white' });
    });
    await pressQuick('classic');
    expect(asked).toEqual([{ variant: 'classic' }]);
    expect(page.value).toEqual({ kind: 'table', table: TABLE });
  });

  it('sends one request at a time', async () => {
    const asked: unknown[] = [];
    openLobby((body) => {
      asked.push(body);
      return new Promise(() => undefined);
    });
    await pressQuick('dilkel');
    await pressQuick('classic');
    expect(asked).toEqual([{ variant: 'dilkel' }]);
  });

  it('shows the reason of a refusal, and can be used again', async () => {
    const client = openLobby(() => Promise.reject(new Refusal('rate_limited', 'too many tables')));
    await pressQuick('dilkel');
    expect(noticesOf(client)).toEqual(['Too many tables.']);
    expect(byTestId('quick-dilkel')).toHaveProperty('disabled', false);
    expect(page.value).toEqual({ kind: 'lobby' });
  });
});

describe('quick join at rated tables', () => {
  it('requests the variant and the clock, for a user with an account', async () => {
    const asked: unknown[] = [];
    const client = openLobby((body) => {
      asked.push(body);
      return Promise.resolve({ table: TABLE, match: MATCH, seat: 'white' });
    });
    act(() => void (client.user.value = { ...user('Ada'), account: true }));
    expect(findElement('[data-testid="rated-quick"]').textContent).not.toContain('Create an account');
    await act(async () => {
      byTestId('rated-5-5').click();
      await Promise.resolve();
    });
    expect(asked).toEqual([{ variant: 'dilkel', rated: true, time: { kind: 'fischer', base_ms: 300_000, increment_ms: 5_000 } }]);
    expect(page.value).toEqual({ kind: 'table', table: TABLE });
  });

  it('is disabled for guests, who find the way to an account', () => {
    openLobby(() => Promise.reject(new Error('not wanted')));
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('.rated-clock')];
    expect(buttons.map(({ textContent, disabled }) => [textContent, disabled])).toEqual([
      ['1 | 15delay', true],
      ['5 + 5increment', true],
      ['10 + 5increment', true],
    ]);
    expect(findElement('[data-testid="rated-quick"] a').getAttribute('href')).toBe('/sign-up');
  });
});

describe('changing tables', () => {
  it('keep their places, so that no table moves during a press', () => {
    const { socket } = openLobbyWith({});
    act(() => socket.receive(lobbyFrame([summary(OTHER, 'open', 'Dua'), summary(TABLE, 'open', 'Ben')])));
    expect(tables('table-row')).toEqual([OTHER, TABLE]);
    act(() => socket.receive({ t: 'lobby_removed', table: OTHER }));
    const rows = [...document.querySelectorAll<HTMLElement>('.rows > li')].map((row) => row.dataset['table']);
    expect(rows).toEqual([OTHER, TABLE]);
    expect(tables('gone-row')).toEqual([OTHER]);
  });

  it('appear as live boards; an ended one stays until another starts', () => {
    const { socket } = openLobbyWith({});
    act(() => socket.receive(lobbyFrame([summary(TABLE, 'running', 'Ben')])));
    expect(tables('live')).toEqual([TABLE]);
    act(() => socket.receive({ t: 'lobby_removed', table: TABLE }));
    expect(tables('live')).toEqual([TABLE]);
    act(() => socket.receive({ t: 'lobby_table', table: summary(OTHER, 'running', 'Dua') }));
    expect(tables('live')).toEqual([OTHER]);
  });

  it('lists the own tables first, sorted by the user\'s turns', () => {
    const { socket } = openLobbyWith({});
    const running = { phase: 'running' } as const;
    act(() => socket.receive(lobbyFrame([summary(OTHER, 'running', 'Ada'), summary(TABLE, 'running', 'Ada')])));
    act(() => socket.receive({ t: 'own_tables', tables: [ownTable(OTHER, { ...running, created_at_ms: 2 }), ownTable(TABLE, running)] }));
    expect(tables('table-row')).toEqual([OTHER, TABLE]);
    expect(tables('live')).toEqual([]);
    act(() => socket.receive({ t: 'own_table', table: ownTable(TABLE, { ...running, your_move: true }) }));
    expect(tables('table-row')).toEqual([TABLE, OTHER]);
    expect(document.querySelector('[data-your-turn="true"]')?.textContent).toContain('Your move');
    act(() => socket.receive({ t: 'own_table', table: ownTable(TABLE, running) }));
    expect(document.querySelector('[data-your-turn="true"]')).toBeNull();
    act(() => socket.receive({ t: 'own_table_removed', table: TABLE }));
    expect(tables('table-row')).toEqual([OTHER]);
    // A user in the lobby is not connected to the own tables.
    expect(socket.sent.filter(({ t }) => t === 'watch')).toEqual([]);
  });
});

describe('the first page', () => {
  const four = (table: string, phase: TableSummary['phase'], spectators: number): TableSummary => ({
    ...summary(table, phase, 'Ben'),
    settings: { ...SETTINGS, variant: 'dilkel' },
    seats: seats({ red: 'Ben', blue: 'Cem', yellow: 'Dua', green: 'Eve' }),
    spectators,
  });
  const showcase = (): DOMStringMap => findElement('.showcase').dataset;

  it('shows the most watched match of four players, and keeps it until it ends', () => {
    const { socket } = openLobbyWith({});
    act(() => socket.receive(lobbyFrame([summary(THIRD, 'running', 'Dua'), four(TABLE, 'running', 3), four(OTHER, 'running', 1)])));
    expect(showcase()).toMatchObject({ kind: 'live', table: TABLE });
    expect(tables('live'), 'no match is shown twice').toEqual([TABLE, OTHER, THIRD]);
    act(() => socket.receive({ t: 'lobby_preview', tables: [{ table: OTHER, plies: 4, spectators: 9 }] }));
    expect(showcase()['table']).toBe(TABLE);
    act(() => socket.receive({ t: 'lobby_removed', table: TABLE }));
    expect(showcase()['table']).toBe(OTHER);
  });

  it('replays a recent match of four players if none is running, and a recorded one of bots otherwise', async () => {
    const recorded = async (recent: Partial<Api>): Promise<DOMStringMap> => {
      const { socket } = openLobbyWith(recent);
      act(() => socket.receive(lobbyFrame([])));
      await vi.waitFor(() => expect(showcase()['kind']).toBeDefined());
      return { ...showcase() };
    };
    const long = { variant: 'dilkel', plies: 30, outcome: { reason: 'mate', places: { red: 1 } } } as const;
    const matches = [matchSummary('short', { ...long, plies: 3 }), matchSummary('two'), matchSummary(MATCH, long)];
    const asked: string[] = [];
    const match: Api['match'] = (id) => {
      asked.push(id);
      return Promise.resolve({ ...demoMatch(), match: id });
    };
    expect(await recorded({ matches: () => Promise.resolve({ matches }), match })).toMatchObject({ kind: 'recent', ply: '8' });
    expect(asked).toEqual([MATCH]);
    expect(findElement('.showcase-link').getAttribute('href')).toBe(`/m/${MATCH}`);
    closePage();
    expect(await recorded({})).toMatchObject({ kind: 'demo', ply: '8' });
  });

  it('shows the activity of the server without zeros', () => {
    const { socket } = openLobbyWith({});
    act(() => socket.receive({ ...lobbyFrame([summary(OTHER, 'open', 'Dua')]), activity: { online: 12, matches_today: 0 } }));
    expect([...byTestId('activity').children].map(({ textContent }) => textContent)).toEqual(['12 players online', '1 table waiting']);
    act(() => socket.receive({ t: 'lobby_preview', tables: [], activity: { online: 13, matches_today: 48 } }));
    expect(byTestId('activity').textContent).toContain('48 matches today');
  });

  it('starts a match against the computer or with friends by one press, and remembers the variant', async () => {
    const made: CreateTable[] = [];
    const createTable: Api['createTable'] = (body) => {
      made.push(body);
      return Promise.resolve({ table: TABLE, match: MATCH });
    };
    const press = (name: string): Promise<void> =>
      act(async () => {
        byTestId(name).click();
        await Promise.resolve();
      });
    openLobbyWith({ createTable });
    await press('bots-dilkel');
    expect(page.value).toEqual({ kind: 'table', table: TABLE });
    expect(made[0]?.bots).toHaveLength(3);
    await press('game-dilkel-compact');
    closePage();
    openLobbyWith({ createTable });
    await press('with-friends');
    expect(made[1]).toMatchObject({ variant: 'dilkel-compact', privacy: 'private' });
    expect(['red', 'blue', 'yellow', 'green'], 'a seat of the game').toContain(made[1]?.seat);
  });
});

describe('the recorded match', () => {
  it('is complete: each move finds its piece, and one king remains', () => {
    const { view } = demoMatch();
    const moves = view.history.filter(({ event }) => event.type === 'moved');
    expect(moves.length).toBeGreaterThan(100);
    expect(view.history.filter(({ event }) => event.type === 'eliminated')).toHaveLength(3);
    expect(Object.values(view.pieces).filter((piece) => piece.endsWith('K'))).toEqual(['rK']);
    expect(view.state.outcome?.places.red).toBe(1);
  });
});

describe('more tables than fit', () => {
  it('are counted and loaded page by page, none twice', async () => {
    const asked: unknown[] = [];
    const counts = { open: 3, running: 0, players: 0 };
    const pages = [{ tables: [summary(OTHER, 'open', 'Dua'), summary(THIRD, 'open', 'Eve')], next: THIRD, counts }, { tables: [summary(TABLE, 'open', 'Ben')], counts }];
    const { socket } = openLobbyWith({
      tables: (before) => {
        asked.push(before);
        return Promise.resolve(pages[asked.length - 1] ?? { tables: [], counts });
      },
    });
    act(() => socket.receive(lobbyFrame([summary(OTHER, 'open', 'Dua')], 2)));
    expect(byTestId('more-tables').querySelector('h2')?.textContent).toBe('And 2 more tables');
    expect(tables('table-row')).toEqual([OTHER]);
    const press = (): Promise<void> =>
      act(async () => {
        byTestId('tables-more').click();
        await Promise.resolve();
      });
    await press();
    expect(tables('table-row')).toEqual([OTHER, THIRD]);
    await press();
    expect(tables('table-row')).toEqual([OTHER, THIRD, TABLE]);
    expect(asked).toEqual([undefined, THIRD]);
    expect(exists('tables-more')).toBe(false);
  });

  it('can be requested again after a failure; the button is missing when all are displayed', async () => {
    const { socket } = openLobbyWith({});
    act(() => socket.receive(lobbyFrame([summary(OTHER, 'open', 'Dua')])));
    expect(exists('more-tables')).toBe(false);
    act(() => socket.receive(lobbyFrame([summary(OTHER, 'open', 'Dua')], 1)));
    await act(async () => {
      byTestId('tables-more').click();
      await Promise.resolve();
    });
    expect(byTestId('more-tables').textContent).toContain('could not be loaded');
    expect(byTestId('tables-more')).toHaveProperty('disabled', false);
  });
});

describe('one device', () => {
  it('creates a hotseat table with one click, every seat taken', async () => {
    const made: unknown[] = [];
    const { socket } = openLobbyWith({
      createTable: (body) => {
        made.push(body);
        return Promise.resolve({ table: TABLE, match: MATCH });
      },
    });
    act(() => socket.receive(lobbyFrame([])));
    await act(async () => {
      byTestId('one-screen').click();
      await Promise.resolve();
    });
    expect(made).toMatchObject([{ variant: 'dilkel', privacy: 'private', hotseat: true, seat: 'red' }]);
    const sits = socket.ofKind('sit');
    expect(sits.map(({ seat }) => seat)).toEqual(['blue', 'yellow', 'green']);
    expect(page.value).toEqual({ kind: 'lobby' });
    await act(async () => {
      for (const { cmd } of sits) socket.receive({ t: 'ack', table: TABLE, match: MATCH, cmd, seq: 3 });
      await Promise.resolve();
    });
    expect(page.value).toEqual({ kind: 'table', table: TABLE });
  });
});
