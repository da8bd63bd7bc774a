import { effect } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import { tabPersistence } from '../src/store/persistence.ts';
import { takeHandoverSecret, takeTableSecrets } from '../src/store/table-secrets.ts';
import { foldLobby, hiddenCount, groupTables } from '../src/store/lobby.ts';
import type { Session, TableSummary, UserView } from '../src/protocol/generated.ts';
import type { Client } from '../src/store/client.ts';
import { seats, user } from './support/boards.ts';
import { TableStore } from '../src/store/table-store.ts';
import { lobbyFrame, ownTable } from './support/lobby.ts';
import { callsTo } from '../src/store/own-tables.ts';
import { MATCH, ScriptedMatch, SETTINGS, TABLE } from './support/match.ts';
import { onlineClient } from './support/stub-client.ts';
import { noticesOf } from './support/notices.ts';

function summary(table: string, created_at_ms: number, more: Partial<TableSummary> = {}): TableSummary {
  return {
    table,
    settings: SETTINGS,
    host: user('Ben'),
    phase: 'open',
    seats: seats({ white: 'Ben', black: null }),
    plies: 0,
    spectators: 0,
    created_at_ms,
    ...more,
  };
}

describe('the lobby', () => {
  it('applies its frames: open tables, newest first, then the most watched', () => {
    const shown = (): string[] | undefined => lobby?.tables.map(({ table, phase, plies }) => `${table} ${phase} ${plies}`);
    const running = { phase: 'running', turn: 'white' } as const;
    let lobby = foldLobby(null, lobbyFrame([summary('d', 0, running), summary('a', 1), summary('b', 2)]));
    expect(shown()).toEqual(['b open 0', 'a open 0', 'd running 0']);
    lobby = foldLobby(lobby, { t: 'lobby_table', table: summary('c', 3) });
    lobby = foldLobby(lobby, { t: 'lobby_table', table: summary('a', 1, running) });
    expect(shown()).toEqual(['c open 0', 'b open 0', 'a running 0', 'd running 0']);
    const counts = { open: 70, running: 2, players: 5 };
    const status = { table: 'd', plies: 7, spectators: 3, turn: 'black' } as const;
    lobby = foldLobby(lobby, { t: 'lobby_preview', tables: [status, { table: 'x', plies: 1, spectators: 9 }], counts, activity: { online: 4, matches_today: 9 } });
    expect(shown()).toEqual(['c open 0', 'b open 0', 'd running 7', 'a running 0']);
    expect(lobby?.tables[2]?.turn).toBe('black');
    lobby = foldLobby(lobby, { t: 'lobby_preview', tables: [{ table: 'd', plies: 8, spectators: 0 }] });
    expect(lobby?.tables.map(({ table, turn }) => [table, turn])).toEqual([['c', undefined], ['b', undefined], ['a', 'white'], ['d', undefined]]);
    expect(lobby?.counts, 'the last published counts').toEqual(counts);
    lobby = foldLobby(lobby, { t: 'lobby_removed', table: 'b' });
    expect(shown()).toEqual(['c open 0', 'a running 0', 'd running 8']);
    expect(lobby === null ? null : hiddenCount(lobby)).toBe(69);
    expect(lobby?.activity, 'as it was sent last').toEqual({ online: 4, matches_today: 9 });
  });

  it('groups the tables of others by phase', () => {
    const live = [
      summary('mine', 4, { seats: seats({ white: 'Ada', black: null }) }),
      summary('open', 3),
      summary('own', 3),
      summary('played', 2, { phase: 'running' }),
    ];
    const groups = groupTables(foldLobby(null, lobbyFrame(live)), [ownTable('own')], user('Ada').id);
    expect(groups.open.map(({ table }) => table)).toEqual(['open']);
    expect(groups.running.map(({ table }) => table)).toEqual(['played']);
    expect(groupTables(null, [], null)).toEqual({ open: [], running: [] });
  });
});

describe('takeTableSecrets', () => {
  it('moves the secret from the address bar to the storage of the tab', () => {
    sessionStorage.clear();
    history.replaceState(null, '', `/t/${TABLE}#invite=s3cret`);
    expect(takeTableSecrets(TABLE, location, history, tabPersistence)).toEqual({ invite: 's3cret', watch: undefined, isNewInvite: true });
    expect(location.hash).toBe('');
    expect(location.pathname).toBe(`/t/${TABLE}`);
    expect(takeTableSecrets(TABLE, location, history, tabPersistence)).toEqual({ invite: 's3cret', watch: undefined, isNewInvite: false });
    expect(takeTableSecrets('another', location, history, tabPersistence)).toMatchObject({ invite: undefined, watch: undefined });
  });
});

describe('takeHandoverSecret', () => {
  it('removes the secret from the address bar, and leaves other links alone', () => {
    history.replaceState(null, '', `/t/${TABLE}#seat=s3cret`);
    expect(takeHandoverSecret(location, history)).toBe('s3cret');
    expect(location.pathname + location.hash).toBe(`/t/${TABLE}`);
    expect(takeHandoverSecret(location, history)).toBeUndefined();
    history.replaceState(null, '', `/t/${TABLE}#invite=s3cret`);
    expect(takeHandoverSecret(location, history)).toBeUndefined();
    expect(location.hash).toBe('#invite=s3cret');
  });
});

describe('Client', () => {
  it('becomes the user of a handover', async () => {
    const session = vi.fn((handover?: string) => Promise.resolve({ user: user(handover === 's3cret' ? 'Eve' : 'Guest') }));
    const { client } = onlineClient({ session });
    await client.start('s3cret');
    expect(client.user.value).toEqual(user('Eve'));
    expect(session).toHaveBeenCalledOnce();
  });

  it('subscribes again as the new user, without the premove and seat of the old one', async () => {
    const { client, socket, current } = onlineClient({ session: () => Promise.resolve({ user: user('Ben') }) });
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('black');
    const store = new TableStore(client, TABLE, { invite: undefined, watch: undefined });
    store.follow();
    socket.receive(match.snapshot('white'));
    store.setPremove({ from: 'e2', to: 'e4', promotion: null });
    expect(store.premove.value).not.toBeNull();
    await client.start('s3cret');
    current().open();
    expect(current()).not.toBe(socket);
    expect(current().ofKind('watch')).toEqual([{ t: 'watch', table: TABLE }]);
    current().receive(match.snapshot('black', ['e7e5']));
    expect(store.state.value?.viewerSeat).toBe('black');
    expect(store.premove.value).toBeNull();
    expect(store.head()).toMatchObject({ seq: match.seq });
  });

  it('reconnects when another tab has changed the user', () => {
    const { client, socket, current } = onlineClient();
    socket.receive({ t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: user('Ben') });
    expect(client.user.value).toEqual(user('Ben'));
    expect(current()).not.toBe(socket);
    const second = current();
    second.open();
    second.receive({ t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: user('Ben') });
    expect(current(), 'it reconnects once').toBe(second);
  });

  it('keeps a change of the user if a connection from before the change opens after it', async () => {
    const account = { ...user('Ada'), name: 'Countess', account: true };
    const { client, current } = onlineClient({ createAccount: () => Promise.resolve(account) });
    const welcome = { t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0' } as const;
    client.connection.reopen();
    current().open();
    await client.createAccount({ name: 'Countess', password: 'correct horse' });
    current().receive({ ...welcome, user: user('Ada') });
    expect(client.user.value).toEqual(account);
    client.connection.reopen();
    current().open();
    current().receive({ ...welcome, user: { ...account, name: 'Lady' } });
    expect(client.user.value?.name).toBe('Lady');
  });

  it('keeps its state while another socket replaces the present one', async () => {
    vi.useFakeTimers();
    const { client, socket, current } = onlineClient();
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    const store = new TableStore(client, TABLE, { invite: undefined, watch: undefined });
    store.follow();
    client.connection.followLobby();
    socket.receive(match.snapshot('white', ['e2e4']));
    socket.receive(lobbyFrame([summary('a', 1)]));
    socket.receive({ t: 'own_tables', tables: [ownTable('b')] });
    const states: string[] = [];
    const stop = effect(() => void states.push(client.connectionState.value));
    socket.receive({ t: 'closing', retry_after_ms: 2_000, open_for_ms: 30_000 });
    const moving = store.move('e2e4');
    const [sent] = socket.ofKind('move');
    vi.advanceTimersByTime(2_000);
    current().open();
    current().receive({ t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: user('Ada') });
    expect(current().ofKind('move')).toEqual([sent]);
    expect(store.pendingMove.value?.mv).toBe('e2e4');
    const moved = match.move('e2e4');
    socket.receive(moved);
    expect(store.pendingMove.value).toBeNull();
    store.setPremove({ from: 'd2', to: 'd4', promotion: null });
    current().receive({ t: 'watching', table: TABLE, match: MATCH, seq: moved.seq });
    current().receive(moved);
    current().receive({ t: 'ack', table: TABLE, match: MATCH, cmd: sent?.cmd ?? '', seq: moved.seq });
    await moving;
    expect(client.publicTables.value?.tables.map(({ table }) => table)).toEqual(['a']);
    expect(client.ownTables.value?.map(({ table }) => table)).toEqual(['b']);
    current().receive({ t: 'own_tables', tables: [ownTable('b', { phase: 'running', your_move: true })] });
    expect(callsTo(client.ownTables.value, user('Ada').id, null)).toHaveLength(1);
    current().receive(lobbyFrame([summary('a', 1)]));
    expect(socket.readyState).toBe(WebSocket.CLOSED);
    current().receive({ ...match.move('e7e5'), legal_moves: ['d2d4'] });
    expect(current().ofKind('move').map((frame) => frame.move)).toEqual(['e2e4', 'd2d4']);
    expect(store.state.value?.history).toEqual(match.history);
    expect(states).toEqual(['online']);
    stop();
    vi.useRealTimers();
  });

  it('drops both sockets if the second one belongs to another user', () => {
    vi.useFakeTimers();
    const { client, socket, current } = onlineClient();
    socket.receive({ t: 'closing', retry_after_ms: 2_000, open_for_ms: 30_000 });
    vi.advanceTimersByTime(2_000);
    const second = current();
    second.open();
    second.receive({ t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: user('Ben') });
    expect(socket.readyState).toBe(WebSocket.CLOSED);
    expect(second.readyState).toBe(WebSocket.CLOSED);
    expect(current()).not.toBe(second);
    current().open();
    current().receive({ t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: user('Ben') });
    expect(client.user.value).toEqual(user('Ben'));
    expect(client.connectionState.value).toBe('online');
    vi.useRealTimers();
  });

  it('reports a refused handover and keeps the user', async () => {
    const { client } = onlineClient({
      session: (handover) =>
        handover === undefined ? Promise.resolve({ user: user('Guest') }) : Promise.reject(new Refusal('bad_handover', 'it was used')),
    });
    await client.start('s3cret');
    expect(client.user.value).toEqual(user('Guest'));
    expect(noticesOf(client)).toEqual(['This link was used or has expired.']);
  });

  it('repeats the handover when the server was unreachable', async () => {
    vi.useFakeTimers();
    const session = vi.fn().mockRejectedValueOnce(new TypeError('fetch failed')).mockResolvedValue({ user: user('Eve') });
    const { client } = onlineClient({ session });
    await client.start('s3cret');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(session.mock.calls).toEqual([['s3cret'], ['s3cret']]);
    vi.useRealTimers();
  });

  it('starts a session before it connects', async () => {
    const { client } = onlineClient({ session: () => Promise.resolve({ user: user('Eve') }) });
    client.user.value = null;
    await client.start();
    expect(client.user.value).toEqual(user('Eve'));
  });

  it.each([
    ['there is a user', (): Promise<Session> => Promise.resolve({ user: user('Eve') })],
    ['the server has refused a session', (): Promise<Session> => Promise.reject(new Refusal('bad_origin', 'not from here'))],
  ])('creates no table and takes no seat before %s', async (_, session) => {
    const createTable = vi.fn(() => Promise.resolve({ table: TABLE, match: 'm1' }));
    const quickJoin = vi.fn(() => Promise.resolve({ table: TABLE, match: 'm1', seat: 'red' as const }));
    const { client } = onlineClient({ session, createTable, quickJoin });
    client.user.value = null;
    const wishes = [client.createTable({ variant: 'dilkel', privacy: 'public' }), client.quickJoin({ variant: 'dilkel' })];
    await Promise.resolve();
    expect([createTable, quickJoin].map((asked) => asked.mock.calls.length)).toEqual([0, 0]);
    await client.start();
    await Promise.all(wishes);
    expect([createTable, quickJoin].map((asked) => asked.mock.calls.length)).toEqual([1, 1]);
  });

  it.each([
    ['signs in', 'Zoe', (client: Client) => client.signIn({ name: 'Zoe', password: 'secret' })],
    ['creates an account', 'Mia', (client: Client) => client.createAccount({ name: 'Mia', password: 'secret' })],
  ])('%s only after the first session, whose late answer would replace the user', async (_, name, send) => {
    const signIn = (): Promise<Session> => Promise.resolve({ user: user('Zoe') });
    const createAccount = (): Promise<UserView> => Promise.resolve(user('Mia'));
    const { client } = onlineClient({ session: () => Promise.resolve({ user: user('Eve') }), signIn, createAccount });
    client.user.value = null;
    const sent = send(client);
    await client.start();
    await sent;
    expect(client.user.value).toEqual(user(name));
  });

  it('signs in only after the session’s answer, even if a connection has reported the user before', async () => {
    let answer: (session: Session) => void = () => {};
    const session = new Promise<Session>((resolve) => (answer = resolve));
    const { client } = onlineClient({ session: () => session, signIn: () => Promise.resolve({ user: user('Zoe'), previous_user: user('Eve') }) });
    const started = client.start();
    client.user.value = user('Eve');
    const signedIn = client.signIn({ name: 'Zoe', password: 'secret' });
    await Promise.resolve();
    answer({ user: user('Eve') });
    await Promise.all([started, signedIn]);
    expect(client.user.value).toEqual(user('Zoe'));
    expect(client.previousUser.value).toEqual(user('Eve'));
  });

  it('connects without a user if the server refuses a session', async () => {
    const { client } = onlineClient({ session: () => Promise.reject(new Refusal('bad_origin', 'not from here')) });
    const reopen = vi.spyOn(client.connection, 'reopen');
    await client.start();
    expect(reopen).toHaveBeenCalledOnce();
    expect(noticesOf(client)).toEqual(['The request came from another page.']);
  });

  it('retries while the server is unreachable', async () => {
    vi.useFakeTimers();
    const session = vi.fn(() => Promise.reject(new TypeError('fetch failed')));
    const { client } = onlineClient({ session });
    await client.start();
    expect(session).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(session).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  describe('after the server has ended its session', () => {
    const unauthenticated = () => Promise.reject(new Refusal('unauthenticated', 'who are you?'));

    it('is signed out, and starts a session only when the user wants one', async () => {
      const session = vi.fn(() => Promise.resolve({ user: user('Fay') }));
      const { client, socket, current } = onlineClient({ session, me: unauthenticated });
      client.ownTables.value = [{ ...ownTable('b'), deadline_ms: null, hasJustStarted: false }];
      socket.lose(4001);
      await vi.waitFor(() => expect(client.signedOutUser.value).toEqual(user('Ada')));
      expect(client.isSignOutShown.value).toBe(true);
      expect(client.user.value).toBeNull();
      expect(client.ownTables.value).toEqual([]);
      expect(client.connectionState.value).toBe('signed_out');
      expect(session).not.toHaveBeenCalled();
      expect(current()).toBe(socket);
      await client.startAgain();
      expect(client.user.value).toEqual(user('Fay'));
      expect(client.signedOutUser.value).toBeNull();
      expect(current()).not.toBe(socket);
    });

    it('reconnects if another tab has started another session', async () => {
      const { client, socket, current } = onlineClient({ me: () => Promise.resolve({ user: user('Ben'), tables: [] }) });
      socket.lose(4001);
      await vi.waitFor(() => expect(current()).not.toBe(socket));
      expect(client.signedOutUser.value).toBeNull();
    });

    it('asks again while the server is unreachable', async () => {
      vi.useFakeTimers();
      const me = vi.fn(() => Promise.reject(new TypeError('fetch failed')));
      const { client, socket } = onlineClient({ me });
      socket.lose(4001);
      await vi.advanceTimersByTimeAsync(1_999);
      expect(client.signedOutUser.value).toBeNull();
      me.mockImplementation(unauthenticated);
      await vi.advanceTimersByTimeAsync(1);
      expect(client.signedOutUser.value).toEqual(user('Ada'));
      vi.useRealTimers();
    });

    it('ignores a late answer when a session has started meanwhile', async () => {
      let refuse: () => void = () => {};
      const me = () => new Promise<never>((_, reject) => (refuse = () => reject(new Refusal('unauthenticated', 'who are you?'))));
      const { client, socket } = onlineClient({ me, session: () => Promise.resolve({ user: user('Fay') }) });
      socket.lose(4001);
      await client.start();
      refuse();
      await Promise.resolve();
      expect(client.signedOutUser.value).toBeNull();
      expect(client.user.value).toEqual(user('Fay'));
    });

    it('is signed out if that happened without a connection', () => {
      const session = vi.fn();
      const { client, socket } = onlineClient({ session });
      socket.receive({ t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: null });
      expect(client.signedOutUser.value).toEqual(user('Ada'));
      expect(session).not.toHaveBeenCalled();
    });

    it('shows that instead of a refusal for a missing session', async () => {
      const { client, socket } = onlineClient({ me: unauthenticated });
      socket.lose(4001);
      await vi.waitFor(() => expect(client.isSignOutShown.value).toBe(true));
      client.isSignOutShown.value = false;
      client.report(new Refusal('unauthenticated', 'who are you?'));
      expect(client.isSignOutShown.value).toBe(true);
      expect(client.notices.value).toEqual([]);
    });
  });

  it('notices another version of the server', () => {
    const { client, socket } = onlineClient();
    expect(client.isOutdated.value).toBe(false);
    socket.receive({ t: 'welcome', protocol: 'quadrex.v1', version: '0.2.0', user: user('Ada') });
    expect(client.isOutdated.value).toBe(true);
  });

  it('shows a notice once and removes it after a while', () => {
    vi.useFakeTimers();
    const { client } = onlineClient();
    client.notify({ kind: 'error', error: new Error('no') });
    client.notify({ kind: 'error', error: new Error('no') });
    expect(client.notices.value).toHaveLength(1);
    vi.advanceTimersByTime(7_000);
    expect(client.notices.value).toEqual([]);
    vi.useRealTimers();
  });
});
