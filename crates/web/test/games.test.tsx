import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OwnTable } from '../src/protocol/generated.ts';
import { foldOwnTables, type OwnTables } from '../src/store/own-tables.ts';
import type { VacationApi } from '../src/store/vacation-api.ts';
import { nextGame, ownGames, waitingFirst, waitingGames } from '../src/store/waiting-games.ts';
import { GamesPage } from '../src/view/games/games-page.tsx';
import { WaitingLink } from '../src/view/games/waiting-link.tsx';
import { Lobby } from '../src/view/lobby/lobby.tsx';
import { Menu } from '../src/view/menu.tsx';
import { TablePage } from '../src/view/table/table-page.tsx';
import { page, parseAddress } from '../src/view/router.ts';
import { seats, user } from './support/boards.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { lobbyFrame, ownTable } from './support/lobby.ts';
import { showAllElements } from './support/observer.ts';
import { SETTINGS } from './support/match.ts';
import { byTestId, closePage, exists, findElement, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

/** A server without vacations. */
const NO_VACATION: VacationApi = {
  status: () => Promise.resolve({ days_per_year: 0, days_left: 0 }),
  begin: () => Promise.reject(new Error('not wanted')),
  end: () => Promise.reject(new Error('not wanted')),
};
const RUNNING = { phase: 'running' } as const;
const MINE = { ...RUNNING, your_move: true } as const;
const HOUR_MS = 3_600_000;

const id = (number: number): string => `0192f0c1-2345-7000-8000-00000000000${number}`;

function receive(socket: FakeSocket, tables: OwnTable[]): void {
  act(() => socket.receive({ t: 'own_tables', tables }));
}

const fold = (...tables: OwnTable[]): OwnTables => foldOwnTables(null, { t: 'own_tables', tables }, 1_000);
const names = (tables: readonly { readonly table: string }[]): string[] => tables.map(({ table }) => table);

showAllElements();

beforeEach(() => {
  page.value = { kind: 'lobby' };
});

afterEach(() => {
  closePage();
  vi.useRealTimers();
  page.value = { kind: 'lobby' };
});

describe('the matches that wait for the user', () => {
  const tables = fold(
    ownTable('theirs', RUNNING),
    ownTable('young', { ...MINE, created_at_ms: 9 }),
    ownTable('old', { ...MINE, created_at_ms: 2 }),
    ownTable('slow', { ...MINE, left_ms: 9_000 }),
    ownTable('fast', { ...MINE, left_ms: 5_000 }),
    ownTable('open', { created_at_ms: 20 }),
    ownTable('hosted', { ...RUNNING, seats: seats({ white: 'Ben', black: 'Cleo' }) }),
  );

  it('are sorted by the time left, then by age', () => {
    expect(names(waitingGames(tables))).toEqual(['fast', 'slow', 'old', 'young']);
    expect(waitingGames(null)).toEqual([]);
  });

  it('come first, and all other tables keep their order', () => {
    expect(names(waitingFirst(tables ?? []))).toEqual(['fast', 'slow', 'old', 'young', 'theirs', 'open', 'hosted']);
  });

  it('are grouped apart from those of others, those without a seat, and those that have not started', () => {
    const groups = ownGames(tables, user('Ada').id);
    expect(names(groups.yourMove)).toEqual(['fast', 'slow', 'old', 'young']);
    expect(names(groups.theirMove)).toEqual(['theirs']);
    expect(names(groups.hosted)).toEqual(['hosted']);
    expect(names(groups.open)).toEqual(['open']);
  });

  it('follow each other, so that each of them can be reached', () => {
    const visited = ['fast'];
    for (let step = 0; step < 4; step += 1) visited.push(nextGame(tables, visited.at(-1) ?? '')?.table.table ?? '');
    expect(visited).toEqual(['fast', 'slow', 'old', 'young', 'fast']);
    expect(nextGame(tables, 'old')).toMatchObject({ position: 3, count: 4 });
    expect(nextGame(tables, 'theirs')).toMatchObject({ table: { table: 'fast' }, position: null, count: 4 });
  });

  it('have no next one if none waits, or only the open one', () => {
    expect(nextGame(fold(ownTable('theirs', RUNNING)), 'theirs')).toBeNull();
    expect(nextGame(fold(ownTable('mine', MINE)), 'mine')).toBeNull();
    expect(nextGame(null, 'mine')).toBeNull();
  });
});

describe('the page of own games', () => {
  function open(...tables: OwnTable[]): FakeSocket {
    const { client, socket } = onlineClient();
    renderPage(client, <GamesPage vacationApi={NO_VACATION} />);
    receive(socket, tables);
    return socket;
  }

  it('lists the games by turn, with the players and the time left', () => {
    open(ownTable(id(1), { ...RUNNING, turn: 'black' }), ownTable(id(2), { ...MINE, left_ms: 36.5 * HOUR_MS, turn: 'white' }), ownTable(id(3)));
    expect(document.title).toBe('Your games · Quadrex');
    expect(byTestId('waiting-count').textContent).toBe('It is your turn in 1 game.');
    const sections = [...document.querySelectorAll('section')].map((section) => [section.querySelector('h2')?.textContent, section.querySelectorAll('li').length]);
    expect(sections).toEqual([['Your move', 1], ['Waiting for others', 1], ['Not started yet', 1]]);
    const mine = findElement(`[data-testid="game"][data-table="${id(2)}"]`);
    expect(mine.textContent).toContain('36 h left');
    expect(mine.textContent).toContain('Classic with Ben');
    expect(mine.querySelector('a')?.getAttribute('href')).toBe(`/t/${id(2)}`);
    expect(findElement(`[data-table="${id(1)}"]`).textContent).toContain('Ben to move');
    expect(findElement(`[data-table="${id(3)}"]`).textContent).toContain('1 of 2 seats are taken');
  });

  it('counts the time down', () => {
    vi.useFakeTimers();
    open(ownTable(id(1), { ...MINE, left_ms: 85_000 }));
    expect(byTestId('time-to-move').textContent).toBe('85 s left');
    act(() => void vi.advanceTimersByTime(30_000));
    expect(byTestId('time-to-move').textContent).toBe('55 s left');
  });

  it('follows the boards without being present at the tables', () => {
    const socket = open(ownTable(id(1), MINE));
    expect(socket.sent.filter(({ t }) => t === 'watch')).toEqual([{ t: 'watch', table: id(1), preview: true }]);
  });

  it('offers a start to a user without games', () => {
    open();
    expect(byTestId('no-games').querySelector('a')?.getAttribute('href')).toBe('/');
    expect(byTestId('waiting-count').textContent).toBe('');
  });
});

describe('the link to the games that wait', () => {
  function open(path: string, ...tables: OwnTable[]): FakeSocket {
    page.value = parseAddress({ pathname: path, search: '' });
    const { client, socket } = onlineClient();
    renderPage(client, <WaitingLink />);
    receive(socket, tables);
    return socket;
  }

  it('shows their number and leads to their list', () => {
    const socket = open('/archive', ownTable(id(1), MINE), ownTable(id(2), MINE), ownTable(id(3), RUNNING));
    expect(byTestId('waiting-games').textContent).toBe('Your move 2');
    expect(byTestId('waiting-games').title).toBe('It is your turn in 2 games.');
    expect(byTestId('waiting-games').getAttribute('href')).toBe('/games');
    receive(socket, [ownTable(id(1), RUNNING)]);
    expect(exists('waiting-games')).toBe(false);
  });

  it('leads from the page of a table to the next game', () => {
    const socket = open(`/t/${id(1)}`, ownTable(id(1), { ...MINE, left_ms: 1_000 }), ownTable(id(2), { ...MINE, left_ms: 3_000 }), ownTable(id(3), { ...MINE, left_ms: 2_000 }));
    const link = (): [string | null, string | null] => [byTestId('next-game').getAttribute('href'), byTestId('next-game').textContent];
    expect(link()).toEqual([`/t/${id(3)}`, 'Next game 1/3']);
    act(() => socket.receive({ t: 'own_table', table: ownTable(id(1), RUNNING) }));
    expect(link()).toEqual([`/t/${id(3)}`, 'Next game 2']);
    act(() => {
      page.value = parseAddress({ pathname: `/t/${id(3)}`, search: '' });
    });
    expect(link()).toEqual([`/t/${id(2)}`, 'Next game 1/2']);
    receive(socket, [ownTable(id(3), MINE)]);
    expect(exists('next-game')).toBe(false);
  });

  it('sets the number at the icon of the installed client', () => {
    const badges: number[] = [];
    Object.assign(navigator, { setAppBadge: (count: number) => Promise.resolve(badges.push(count)) });
    const socket = open('/', ownTable(id(1), MINE), ownTable(id(2), MINE));
    receive(socket, []);
    expect(badges).toEqual([0, 2, 0]);
    Reflect.deleteProperty(navigator, 'setAppBadge');
  });
});

describe('a move in correspondence', () => {
  const slow = { ...SETTINGS, time: { kind: 'correspondence', days: 3 } } as const;
  const here = (more: Partial<OwnTable>): OwnTable => ownTable(id(1), { ...RUNNING, settings: slow, plies: 4, ...more });

  /** Moves at the open table, and returns the table that is open then. */
  function openAfter(wantsNext: boolean, before: Partial<OwnTable>, after: Partial<OwnTable>): string {
    page.value = parseAddress({ pathname: `/t/${id(1)}`, search: '' });
    const { client, socket } = onlineClient();
    client.preferences.nextGame.value = wantsNext;
    renderPage(client, <TablePage table={id(1)} />);
    receive(socket, [here(before), ownTable(id(2), MINE)]);
    act(() => socket.receive({ t: 'own_table', table: here(after) }));
    client.preferences.nextGame.value = false;
    closePage();
    return page.value.kind === 'table' ? page.value.table : page.value.kind;
  }

  it('opens the next game, if the user wants this', () => {
    expect(openAfter(true, { your_move: true }, { plies: 5 })).toBe(id(2));
    expect(openAfter(false, { your_move: true }, { plies: 5 })).toBe(id(1));
  });

  it.each([
    ['the turn ends without a move', { your_move: true }, {}],
    ['somebody else moves', {}, { plies: 5 }],
    ['the match is not slow', { your_move: true, settings: SETTINGS }, { plies: 5, settings: SETTINGS }],
    ['another match has begun', { your_move: true }, { plies: 5, match: id(9) }],
  ] as const)('opens no other game if %s', (_, before, after) => {
    expect(openAfter(true, before, after)).toBe(id(1));
  });
});

it('the menu shows the number of games that wait', () => {
  const { client, socket } = onlineClient();
  renderPage(client, <Menu currentPage="lobby" />);
  expect(byTestId('menu-games').textContent).toBe('Your games');
  receive(socket, [ownTable(id(1), MINE)]);
  expect(byTestId('menu-games').textContent).toBe('Your games1');
});

it('the lobby lists the most urgent own table first, with the time left', () => {
  const { client, socket } = onlineClient();
  renderPage(client, <Lobby />);
  act(() => socket.receive(lobbyFrame([])));
  receive(socket, [ownTable(id(1), RUNNING), ownTable(id(2), { ...MINE, left_ms: 50 * HOUR_MS }), ownTable(id(3), { ...MINE, left_ms: 5.5 * HOUR_MS })]);
  const rows = [...document.querySelectorAll<HTMLElement>('[data-testid="table-row"]')];
  expect(rows.map(({ dataset }) => [dataset['table'], dataset['yourTurn']])).toEqual([[id(3), 'true'], [id(2), 'true'], [id(1), 'false']]);
  expect(rows[0]?.textContent).toContain('5 h left');
  expect(byTestId('all-games').getAttribute('href')).toBe('/games');
});
