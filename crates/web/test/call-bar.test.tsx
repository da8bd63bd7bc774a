import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OwnTable } from '../src/protocol/generated.ts';
import { callsTo, foldOwnTables, type OwnTables } from '../src/store/own-tables.ts';
import { CallBar } from '../src/view/call-bar.tsx';
import { page, parseAddress, type Page } from '../src/view/router.ts';
import { user } from './support/boards.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { ownTable } from './support/lobby.ts';
import { TABLE } from './support/match.ts';
import { byTestId, closePage, exists, findElement, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const OTHER = '0192f0c1-2345-7000-8000-000000000002';
const RUNNING = { phase: 'running' } as const;

/** An address of every page except that of a table. */
const PAGES = ['/', '/archive', '/u/0192f0c1-2345-7000-8000-0000000000aa', '/m/0192f0c1-2345-7000-8000-0000000000aa', '/analysis', '/rules', '/settings', '/nowhere'];

function at(path: string): Page {
  return parseAddress({ pathname: path, search: '' });
}

function open(path: string, tables: OwnTable[]): FakeSocket {
  page.value = at(path);
  const { client, socket } = onlineClient();
  function Page(): ReturnType<typeof CallBar> {
    return <CallBar page={page.value} />;
  }
  renderPage(client, <Page />);
  act(() => socket.receive({ t: 'own_tables', tables }));
  return socket;
}

function change(socket: FakeSocket, table: OwnTable): void {
  act(() => socket.receive({ t: 'own_table', table }));
}

beforeEach(() => {
  document.head.insertAdjacentHTML('beforeend', '<link rel="icon" href="/favicon.svg">');
});

afterEach(() => {
  closePage();
  vi.useRealTimers();
  document.querySelector('link[rel="icon"]')?.remove();
  history.replaceState(null, '', '/');
  page.value = { kind: 'lobby' };
});

describe('the call to a match', () => {
  it.each(PAGES)('is shown at %s with the time left, in the title and in the icon', (path) => {
    const socket = open(path, [ownTable(TABLE, RUNNING)]);
    expect(exists('call')).toBe(false);
    const title = document.title;
    change(socket, ownTable(TABLE, { ...RUNNING, your_move: true, left_ms: 24_000, plies: 4 }));
    expect(byTestId('call').textContent).toContain('Your move');
    expect(byTestId('call').textContent).toContain('Classic with Ben');
    expect(byTestId('call-time').textContent).toMatch(/^0:2[34]/);
    expect(findElement<HTMLAnchorElement>('.call-link').getAttribute('href')).toBe(`/t/${TABLE}`);
    expect(document.title).toBe('● Your move · Quadrex');
    expect(findElement('link[rel="icon"]').getAttribute('href')).toBe('/favicon-badge.svg');
    change(socket, ownTable(TABLE, { ...RUNNING, plies: 5 }));
    expect(exists('call')).toBe(false);
    expect(document.title).toBe(title);
    expect(findElement('link[rel="icon"]').getAttribute('href')).toBe('/favicon.svg');
  });

  it('shows that a match has started until its table is opened', () => {
    const socket = open('/rules', [ownTable(TABLE)]);
    change(socket, ownTable(TABLE, RUNNING));
    expect(byTestId('call').textContent).toContain('Your match has started');
    expect(byTestId('call').dataset['kind']).toBe('started');
    act(() => {
      page.value = at(`/t/${TABLE}`);
    });
    expect(exists('call')).toBe(false);
    act(() => {
      page.value = at('/rules');
    });
    expect(exists('call'), 'the user has been there').toBe(false);
  });

  it('opens the match for a user who waits in the lobby', () => {
    const socket = open('/', [ownTable(TABLE)]);
    change(socket, ownTable(TABLE, RUNNING));
    expect(page.value).toEqual({ kind: 'table', table: TABLE });
  });

  it('does not open it over an open dialog, or if the match was running already', () => {
    document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>');
    const socket = open('/', [ownTable(TABLE), ownTable(OTHER, { ...RUNNING, your_move: true })]);
    expect(page.value.kind).toBe('lobby');
    change(socket, ownTable(TABLE, RUNNING));
    expect(page.value.kind).toBe('lobby');
    document.querySelector('dialog')?.remove();
  });

  it('shows days and hours in words, and is not shown on the page that lists the games', () => {
    open('/archive', [ownTable(TABLE, { ...RUNNING, your_move: true, left_ms: 36.5 * 3_600_000 })]);
    expect(byTestId('call-time').textContent).toBe('36 h left');
    act(() => {
      page.value = at('/games');
    });
    expect(exists('call')).toBe(false);
    expect(document.title).toBe('● Your move · Quadrex');
    expect(document.documentElement.dataset['called']).toBe('false');
  });

  it('does not cover a board where the user may move, unless there is little time', () => {
    const slow = { ...RUNNING, your_move: true, left_ms: 36 * 3_600_000 };
    const socket = open(`/t/${TABLE}`, [ownTable(TABLE, slow), ownTable(OTHER, slow)]);
    expect(exists('call')).toBe(false);
    change(socket, ownTable(OTHER, { ...slow, left_ms: 50_000, plies: 2 }));
    expect(byTestId('call').dataset['table']).toBe(OTHER);
    change(socket, ownTable(OTHER, { ...slow, plies: 4 }));
    expect(exists('call')).toBe(false);
    change(socket, ownTable(TABLE, { ...RUNNING, plies: 1 }));
    expect(byTestId('call').dataset['table'], 'after the move').toBe(OTHER);
  });

  it('names the number of calls in the title', () => {
    const socket = open('/archive', [ownTable(TABLE, { ...RUNNING, your_move: true }), ownTable(OTHER, { ...RUNNING, your_move: true })]);
    expect(document.title).toBe('(2) Your move · Quadrex');
    change(socket, ownTable(OTHER, RUNNING));
    expect(document.title).toBe('● Your move · Quadrex');
  });

  it('can be dismissed until the next turn', () => {
    const mine = { ...RUNNING, your_move: true };
    const socket = open('/archive', [ownTable(TABLE, { ...mine, plies: 2 })]);
    act(() => byTestId('call-close').click());
    expect(exists('call')).toBe(false);
    change(socket, ownTable(TABLE, { ...mine, plies: 2, left_ms: 9_000 }));
    expect(exists('call')).toBe(false);
    change(socket, ownTable(TABLE, { ...mine, plies: 4 }));
    expect(exists('call')).toBe(true);
  });

  it('flashes in the title of a hidden page', () => {
    vi.useFakeTimers();
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    open('/archive', [ownTable(TABLE, { ...RUNNING, your_move: true })]);
    const titles = new Set<string>();
    for (let second = 0; second < 4; second += 1) {
      act(() => void vi.advanceTimersByTime(1_000));
      titles.add(document.title);
    }
    expect(titles).toEqual(new Set(['▶▶ Your move', '● Your move · Quadrex']));
    hidden.mockRestore();
  });
});

describe('calls', () => {
  const ada = user('Ada').id;
  const fold = (...tables: OwnTable[]): OwnTables => foldOwnTables(null, { t: 'own_tables', tables }, 1_000);

  it('are sorted by urgency, without the open table', () => {
    const mine = { ...RUNNING, your_move: true };
    const tables = fold(ownTable('slow', { ...mine, left_ms: 60_000 }), ownTable('fast', { ...mine, left_ms: 5_000 }), ownTable('endless', mine), ownTable('open'));
    expect(callsTo(tables, ada, null).map(({ table }) => table.table)).toEqual(['fast', 'slow', 'endless']);
    expect(callsTo(tables, ada, 'fast').map(({ table }) => table.table)).toEqual(['slow', 'endless']);
    expect(tables?.map(({ deadline_ms }) => deadline_ms)).toEqual([61_000, 6_000, null, null]);
  });

  it('of a start also appear after a lost connection, but not for a host without a seat', () => {
    const waiting = fold(ownTable('a'));
    const started = foldOwnTables(waiting, { t: 'own_tables', tables: [ownTable('a', RUNNING), ownTable('b', RUNNING)] }, 2_000);
    expect(callsTo(started, ada, null).map(({ kind, table }) => `${kind} ${table.table}`)).toEqual(['started a']);
    expect(callsTo(started, user('Eve').id, null)).toEqual([]);
    expect(foldOwnTables(started, { t: 'own_table_removed', table: 'a' }, 3_000)?.map(({ table }) => table)).toEqual(['b']);
  });
});
