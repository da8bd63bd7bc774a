import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { RefusalCode, ServerFrame } from '../src/protocol/generated.ts';
import { user } from './support/boards.ts';
import { Counter, event, setUpConnection, snapshot, WELCOME } from './support/connection.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { lobbyFrame, ownTable } from './support/lobby.ts';
import { MATCH, TABLE } from './support/match.ts';

const CLOSING: ServerFrame = { t: 'closing', retry_after_ms: 3_000, open_for_ms: 20_000 };
const OWN_WELCOME: ServerFrame = { ...WELCOME, user: user('Ada') } as ServerFrame;
const resign = { t: 'resign', table: TABLE } as const;

function watching(seq: number): ServerFrame {
  return { t: 'watching', table: TABLE, match: MATCH, seq };
}

function presence(spectators: number): ServerFrame {
  return { t: 'presence', table: TABLE, players: [], spectators };
}

function ack(cmd: string, seq: number): ServerFrame {
  return { t: 'ack', table: TABLE, match: MATCH, cmd, seq };
}

function refusedTable(code: RefusalCode): ServerFrame {
  return { t: 'refused', table: TABLE, code, message: 'refused' };
}

/** Returns a connection that follows a table up to event 7 on a socket that will be closed. */
function setUp() {
  const context = setUpConnection();
  const follower = new Counter();
  const first = context.online();
  const stop = context.connection.follow(TABLE, follower);
  first.receive(snapshot(7));
  first.receive(CLOSING);
  /** Opens the second socket at its time. */
  const opened = (): FakeSocket => {
    vi.advanceTimersByTime(3_000);
    context.current().open();
    return context.current();
  };
  /** Begins the overlap: the second socket is welcomed. */
  const welcomed = (): FakeSocket => {
    const second = opened();
    second.receive(WELCOME);
    return second;
  };
  const seqs = (): number[] => follower.taken.flatMap((frame) => (frame.t === 'presence' ? [] : [frame.seq]));
  const spectators = (): number[] => follower.taken.flatMap((frame) => (frame.t === 'presence' ? [frame.spectators] : []));
  const isOpen = (socket: FakeSocket): boolean => socket.readyState === WebSocket.OPEN;
  const expectNeverOffline = (): void => expect(new Set(context.states.slice(1))).toEqual(new Set(['online']));
  return { ...context, follower, first, stop, opened, welcomed, seqs, spectators, isOpen, expectNeverOffline };
}

/** Returns all merges of two sequences that keep the order of each, after a common beginning. */
function merges<T>(left: readonly T[], right: readonly T[], beginning: readonly T[] = []): T[][] {
  const [firstLeft, ...restLeft] = left;
  const [firstRight, ...restRight] = right;
  if (firstLeft === undefined || firstRight === undefined) return [[...beginning, ...left, ...right]];
  return [...merges(restLeft, right, [...beginning, firstLeft]), ...merges(left, restRight, [...beginning, firstRight])];
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a socket that the server will close', () => {
  it('is replaced at the requested time, and closed only when the new one has answered', () => {
    const { sockets, first, isOpen, current, expectNeverOffline } = setUp();
    vi.advanceTimersByTime(2_999);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(2);
    const second = current();
    second.open();
    expect(second.sent).toEqual([{ t: 'hello' }]);
    second.receive(WELCOME);
    expect(second.sent).toEqual([{ t: 'hello' }, { t: 'watch', table: TABLE, match: MATCH, after: 7 }]);
    expect(isOpen(first)).toBe(true);
    second.receive(watching(7));
    expect(isOpen(first)).toBe(false);
    expect(isOpen(second)).toBe(true);
    vi.advanceTimersByTime(14_000);
    expect(sockets).toHaveLength(2);
    expectNeverOffline();
  });

  it('is not replaced before it closes if the server leaves no time', () => {
    for (const open_for_ms of [{}, { open_for_ms: 0 }]) {
      const { online, sockets, states } = setUpConnection();
      const socket = online();
      socket.receive({ t: 'closing', retry_after_ms: 3_000, ...open_for_ms });
      vi.advanceTimersByTime(5_000);
      expect(sockets).toHaveLength(1);
      socket.lose();
      expect(states.at(-1)).toBe('reconnecting');
      vi.advanceTimersByTime(2_999);
      expect(sockets).toHaveLength(1);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(2);
    }
  });

  it('stays open until the lobby and the own tables have been received on the new one', () => {
    const { connection, online, current, lobby, ownTables } = setUpConnection();
    connection.followLobby();
    const first = online(OWN_WELCOME);
    first.receive(CLOSING);
    vi.advanceTimersByTime(3_000);
    const second = current();
    second.open();
    second.receive(OWN_WELCOME);
    expect(second.sent).toEqual([{ t: 'hello' }, { t: 'watch_own_tables' }, { t: 'watch_lobby' }]);
    // The second socket has not answered yet.
    first.receive(lobbyFrame([], 1));
    first.receive({ t: 'own_table', table: ownTable('a') });
    expect(lobby).toHaveLength(1);
    expect(ownTables).toHaveLength(1);
    second.receive(lobbyFrame([], 2));
    first.receive(lobbyFrame([], 3));
    expect(lobby).toEqual([lobbyFrame([], 1), lobbyFrame([], 2)]);
    expect(first.readyState).toBe(WebSocket.OPEN);
    second.receive({ t: 'own_tables', tables: [] });
    expect(first.readyState).toBe(WebSocket.CLOSED);
    first.receive({ t: 'own_table', table: ownTable('b') });
    second.receive({ t: 'own_table', table: ownTable('c') });
    expect(ownTables.map((frame) => frame.t)).toEqual(['own_table', 'own_tables', 'own_table']);
  });

  it('is closed at once if nothing is followed', () => {
    const { online, current } = setUpConnection();
    const first = online();
    first.receive(CLOSING);
    vi.advanceTimersByTime(3_000);
    current().open();
    expect(first.readyState).toBe(WebSocket.OPEN);
    current().receive(WELCOME);
    expect(first.readyState).toBe(WebSocket.CLOSED);
  });

  it('is replaced again if the new one will be closed too', () => {
    const { sockets, welcomed, current, isOpen, expectNeverOffline } = setUp();
    const second = welcomed();
    second.receive(watching(7));
    second.receive(CLOSING);
    vi.advanceTimersByTime(3_000);
    const third = current();
    third.open();
    third.receive(WELCOME);
    third.receive(watching(7));
    expect(sockets).toHaveLength(3);
    expect(isOpen(second)).toBe(false);
    expect(isOpen(third)).toBe(true);
    expectNeverOffline();
  });

  it('is closed if the new one is replaced during the overlap', () => {
    const { welcomed, first, current, isOpen, seqs, expectNeverOffline } = setUp();
    const second = welcomed();
    second.receive(CLOSING);
    vi.advanceTimersByTime(3_000);
    const third = current();
    third.open();
    third.receive(WELCOME);
    expect(isOpen(first)).toBe(false);
    second.receive(watching(7));
    second.receive(event(8));
    expect(isOpen(second)).toBe(true);
    third.receive(watching(8));
    expect(isOpen(second)).toBe(false);
    third.receive(event(9));
    expect(seqs()).toEqual([7, 8, 9]);
    expectNeverOffline();
  });

  it('is pinged until the new one is welcome, which is pinged from then on', () => {
    const { first, opened } = setUp();
    const second = opened();
    vi.advanceTimersByTime(7_000);
    first.receive({ t: 'pong', heads: {} });
    second.receive(WELCOME);
    second.receive(watching(7));
    expect(first.ofKind('ping')).toHaveLength(0);
    for (let count = 1; count <= 3; count += 1) {
      vi.advanceTimersByTime(count === 1 ? 8_000 : 15_000);
      expect(second.ofKind('ping')).toHaveLength(count);
      second.receive({ t: 'pong', heads: { [TABLE]: { match: MATCH, seq: 7 } } });
    }
    expect(first.ofKind('ping')).toHaveLength(0);
  });
});

describe('during an overlap', () => {
  it('every event is received once, in any order of the frames of both sockets', () => {
    type Step = readonly ['first' | 'second', ServerFrame];
    const firstSteps: Step[] = [8, 9, 10].map((seq) => ['first', event(seq)]);
    const secondSteps: Step[] = [['second', watching(8)], ...[8, 9, 10, 11].map((seq): Step => ['second', event(seq)])];
    for (const steps of merges(firstSteps, secondSteps)) {
      const { first, welcomed, seqs, expectNeverOffline } = setUp();
      const sockets = { first, second: welcomed() };
      for (const [name, frame] of steps) sockets[name].receive(frame);
      expect(seqs(), steps.map(([name, frame]) => `${name} ${frame.t}`).join(', ')).toEqual([7, 8, 9, 10, 11]);
      expect(sockets.second.ofKind('watch'), 'there is no gap').toHaveLength(1);
      expectNeverOffline();
    }
  });

  it('events of the old socket are received at once until the new one has answered', () => {
    const { first, welcomed, seqs } = setUp();
    welcomed();
    first.receive(event(8));
    expect(seqs()).toEqual([7, 8]);
  });

  it('frames of the old socket do not replace later states of the new one', () => {
    const { connection, first, welcomed, spectators, isOpen } = setUp();
    connection.followLobby();
    const second = welcomed();
    first.receive(presence(1));
    second.receive(watching(7));
    second.receive(presence(2));
    expect(isOpen(first), 'the lobby is still missing').toBe(true);
    first.receive(presence(1));
    expect(spectators()).toEqual([1, 2]);
  });

  it('a table that is opened or left uses the new socket only', () => {
    const { connection, first, welcomed, isOpen, stop } = setUp();
    const second = welcomed();
    stop();
    expect(second.ofKind('unwatch')).toHaveLength(1);
    expect(first.ofKind('unwatch')).toHaveLength(0);
    const other = new Counter();
    connection.follow('other', other);
    expect(second.ofKind('watch').at(-1)).toEqual({ t: 'watch', table: 'other' });
    expect(first.ofKind('watch')).toHaveLength(1);
    first.receive({ ...snapshot(3), table: TABLE } as ServerFrame);
    second.receive(lobbyFrame([]));
    expect(isOpen(first), 'the other table is still missing').toBe(true);
    second.receive({ ...snapshot(3), table: 'other' } as ServerFrame);
    expect(other.taken).toHaveLength(1);
    expect(isOpen(first)).toBe(false);
  });

  it('a subscription that is refused for a passing reason is requested again', () => {
    for (const code of ['rate_limited', 'closing', 'internal'] as const) {
      const { first, welcomed, follower, seqs, isOpen } = setUp();
      const second = welcomed();
      second.receive(refusedTable(code));
      expect(follower.refusal).toBeNull();
      first.receive(event(8));
      expect(seqs(), code).toEqual([7, 8]);
      vi.advanceTimersByTime(1_500);
      expect(second.ofKind('watch').at(-1)).toEqual({ t: 'watch', table: TABLE, match: MATCH, after: 8 });
      expect(isOpen(first)).toBe(true);
      second.receive(watching(8));
      expect(isOpen(first)).toBe(false);
    }
  });

  it('a refused table is reported, and the old socket is closed', () => {
    const { first, welcomed, follower, isOpen } = setUp();
    welcomed().receive(refusedTable('forbidden'));
    expect(follower.refusal).toBe('forbidden');
    expect(isOpen(first)).toBe(false);
  });

  it('a table that was refused on the old socket is reported', () => {
    const { first, welcomed, follower } = setUp();
    welcomed();
    first.receive(refusedTable('kicked'));
    expect(follower.refusal).toBe('kicked');
  });

  it('the loss of the old socket changes nothing', () => {
    const { sockets, first, welcomed, seqs, expectNeverOffline } = setUp();
    const second = welcomed();
    first.lose();
    second.receive(watching(8));
    second.receive(event(8));
    expect(seqs()).toEqual([7, 8]);
    vi.advanceTimersByTime(10_000);
    expect(sockets).toHaveLength(2);
    expectNeverOffline();
  });

  it('the loss of the new socket leads back to the old one, and to another attempt', () => {
    const { connection, sockets, first, welcomed, current, seqs, expectNeverOffline } = setUp();
    void connection.command(resign);
    const second = welcomed();
    connection.follow('other', new Counter());
    void connection.command(resign);
    second.receive(watching(8));
    second.receive(event(8));
    first.receive(event(8));
    const before = first.sent.length;
    second.lose();
    expect(first.sent.slice(before)).toEqual([
      { t: 'watch', table: TABLE, match: MATCH, after: 8 },
      { t: 'watch', table: 'other' },
      ...first.ofKind('resign').slice(1),
    ]);
    expect(first.ofKind('resign')).toHaveLength(3);
    first.receive(event(9));
    expect(seqs()).toEqual([7, 8, 9]);
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(3);
    current().open();
    current().receive(WELCOME);
    expect(current().ofKind('watch')[0]).toEqual({ t: 'watch', table: TABLE, match: MATCH, after: 9 });
    expectNeverOffline();
  });

  it('the own tables are requested again on the old socket after the loss of the new one', () => {
    const { online, current } = setUpConnection();
    const first = online(OWN_WELCOME);
    first.receive(CLOSING);
    vi.advanceTimersByTime(3_000);
    current().open();
    current().receive(OWN_WELCOME);
    current().lose();
    expect(first.ofKind('watch_own_tables')).toHaveLength(2);
  });

  it('the loss of both sockets leads to a usual reconnect', () => {
    const { sockets, first, welcomed, states, current } = setUp();
    welcomed().lose();
    first.lose();
    expect(states.at(-1)).toBe('reconnecting');
    vi.advanceTimersByTime(800);
    expect(sockets).toHaveLength(3);
    current().open();
    expect(current().sent).toEqual([{ t: 'hello' }, { t: 'watch', table: TABLE, match: MATCH, after: 7 }]);
    current().receive(WELCOME);
    expect(states.at(-1)).toBe('online');
    vi.advanceTimersByTime(10_000);
    expect(sockets).toHaveLength(3);
  });
});

describe('commands during a replacement', () => {
  it.each(['first', 'second'] as const)('are sent again on the new socket with the same id, and answered by the %s', async (answering) => {
    const { connection, first, welcomed } = setUp();
    const answer = connection.command(resign);
    const [sent] = first.ofKind('resign');
    const second = welcomed();
    expect(second.ofKind('resign')).toEqual([sent]);
    expect(second.sent.map((frame) => frame.t)).toEqual(['hello', 'watch', 'resign']);
    const sockets = { first, second };
    sockets[answering].receive(ack(sent?.cmd ?? '', 8));
    await expect(answer).resolves.toBe(8);
  });

  it('use the old socket until the new one is welcome, and then the new one', () => {
    const { connection, first, opened } = setUp();
    const second = opened();
    void connection.command(resign);
    expect(first.ofKind('resign')).toHaveLength(1);
    expect(second.ofKind('resign')).toHaveLength(0);
    second.receive(WELCOME);
    void connection.command(resign);
    expect(first.ofKind('resign')).toHaveLength(1);
    expect(second.ofKind('resign')).toHaveLength(2);
  });

  it('are not repeated if the old socket has answered in time', async () => {
    const { connection, first, welcomed } = setUp();
    const answer = connection.command(resign);
    first.receive(ack(first.ofKind('resign')[0]?.cmd ?? '', 8));
    await expect(answer).resolves.toBe(8);
    expect(welcomed().ofKind('resign')).toHaveLength(0);
  });

  it.each(['internal', 'not_your_turn'] as const)('that the old socket refuses (%s) are decided by the new one', async (code) => {
    const { connection, first, welcomed } = setUp();
    const answer = connection.command(resign);
    const cmd = first.ofKind('resign')[0]?.cmd ?? '';
    const second = welcomed();
    first.receive({ t: 'refused', table: TABLE, cmd, code, message: 'no' });
    second.receive(ack(cmd, 9));
    await expect(answer).resolves.toBe(9);
  });

  it('that the new socket refuses are refused', async () => {
    const { connection, first, welcomed } = setUp();
    const answer = connection.command(resign);
    const cmd = first.ofKind('resign')[0]?.cmd ?? '';
    welcomed().receive({ t: 'refused', table: TABLE, cmd, code: 'eliminated', message: 'too late' });
    await expect(answer).rejects.toEqual(new Refusal('eliminated', 'too late'));
  });
});

describe('a second socket', () => {
  it('is opened again until it succeeds, while the first one is used', () => {
    const { connection, sockets, first, current, seqs, isOpen, expectNeverOffline } = setUp();
    vi.advanceTimersByTime(3_000);
    current().lose();
    first.receive(event(8));
    void connection.command(resign);
    expect(first.ofKind('resign')).toHaveLength(1);
    vi.advanceTimersByTime(399);
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(3);
    current().lose();
    vi.advanceTimersByTime(800);
    expect(sockets).toHaveLength(4);
    current().open();
    current().receive(WELCOME);
    expect(current().sent.map((frame) => frame.t)).toEqual(['hello', 'watch', 'resign']);
    current().receive(watching(8));
    expect(isOpen(first)).toBe(false);
    expect(seqs()).toEqual([7, 8]);
    expectNeverOffline();
  });

  it('that does not answer is given up', () => {
    for (const opens of [false, true]) {
      const { sockets, current, isOpen, first, expectNeverOffline } = setUp();
      vi.advanceTimersByTime(3_000);
      const silent = current();
      if (opens) silent.open();
      vi.advanceTimersByTime(8_000);
      expect(silent.readyState).toBe(WebSocket.CLOSED);
      vi.advanceTimersByTime(400);
      expect(sockets).toHaveLength(3);
      expect(isOpen(first)).toBe(true);
      expectNeverOffline();
    }
  });

  it('that is not welcome is given up', () => {
    const refused: ServerFrame = { t: 'refused', code: 'rate_limited', message: 'too many connections' };
    for (const frame of [CLOSING, refused]) {
      const { sockets, opened, current, isOpen, first, seqs, expectNeverOffline } = setUp();
      const second = opened();
      second.receive(frame);
      expect(second.readyState).toBe(WebSocket.CLOSED);
      vi.advanceTimersByTime(400);
      expect(sockets).toHaveLength(3);
      expect(current().readyState).toBe(WebSocket.CONNECTING);
      expect(isOpen(first)).toBe(true);
      first.receive(event(8));
      expect(seqs()).toEqual([7, 8]);
      expectNeverOffline();
    }
  });

  it('that the browser refuses is opened later', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { sockets, browser, expectNeverOffline } = setUp();
    browser.refuses = true;
    vi.advanceTimersByTime(3_000);
    expect(warn).toHaveBeenCalledTimes(1);
    browser.refuses = false;
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(2);
    expectNeverOffline();
    warn.mockRestore();
  });

  it('is not opened if the first one is lost before; then the page reconnects as usual', () => {
    const { sockets, first, states, current } = setUp();
    vi.advanceTimersByTime(1_000);
    first.lose();
    expect(states.at(-1)).toBe('reconnecting');
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(2);
    current().open();
    current().receive(WELCOME);
    vi.advanceTimersByTime(10_000);
    expect(sockets).toHaveLength(2);
  });

  it('is used at once if the first one is lost while it is opening', () => {
    const { connection, sockets, first, states, current } = setUp();
    void connection.command(resign);
    vi.advanceTimersByTime(3_000);
    first.lose();
    expect(states.at(-1)).toBe('reconnecting');
    current().open();
    expect(current().sent.map((frame) => frame.t)).toEqual(['hello', 'watch', 'resign']);
    current().receive(WELCOME);
    expect(states.at(-1)).toBe('online');
    vi.advanceTimersByTime(10_000);
    expect(sockets).toHaveLength(2);
    expect(current().ofKind('watch')).toHaveLength(1);
  });

  it('is used at once if the first one is lost before it is welcome', () => {
    const { connection, first, states, opened } = setUp();
    void connection.command(resign);
    const second = opened();
    first.lose();
    expect(states.at(-1)).toBe('reconnecting');
    expect(second.sent.map((frame) => frame.t)).toEqual(['hello', 'watch', 'resign']);
    second.receive(WELCOME);
    expect(states.at(-1)).toBe('online');
    expect(second.ofKind('watch')).toHaveLength(1);
  });

  it('that takes the place of a lost one and is lost too is followed by another', () => {
    const { sockets, first, states, current } = setUp();
    vi.advanceTimersByTime(3_000);
    first.lose();
    current().lose();
    expect(states.at(-1)).toBe('reconnecting');
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(3);
  });

  it('that is still opening is opened again when the network returns', () => {
    const { connection, sockets, first, isOpen, current, expectNeverOffline } = setUp();
    vi.advanceTimersByTime(3_000);
    const stuck = current();
    connection.networkReturned();
    expect(stuck.readyState).toBe(WebSocket.CLOSED);
    expect(sockets).toHaveLength(3);
    expect(first.ofKind('ping')).toHaveLength(1);
    first.receive({ t: 'pong', heads: { [TABLE]: { match: MATCH, seq: 7 } } });
    current().open();
    current().receive(WELCOME);
    current().receive(watching(7));
    expect(isOpen(first)).toBe(false);
    expectNeverOffline();
  });
});

describe('reopening as another user', () => {
  it.each(['planned', 'opening', 'overlap'] as const)('discards a replacement (%s), both sockets, and their frames', (moment) => {
    const { connection, sockets, states, first, current, opened, seqs, isOpen } = setUp();
    if (moment !== 'planned') opened();
    const second = moment === 'planned' ? null : current();
    if (moment === 'overlap') second?.receive(WELCOME);
    connection.reopen();
    const last = current();
    const count = moment === 'planned' ? 2 : 3;
    expect(sockets).toHaveLength(count);
    expect([first, second].some((socket) => socket !== null && isOpen(socket)), moment).toBe(false);
    expect(vi.getTimerCount(), 'only the last socket waits for an answer').toBe(1);
    for (const socket of [first, second]) {
      socket?.receive(event(8));
      socket?.lose();
    }
    expect(seqs()).toEqual([7]);
    last.open();
    last.receive(WELCOME);
    vi.advanceTimersByTime(10_000);
    expect(sockets).toHaveLength(count);
    last.lose();
    expect(states.at(-1)).toBe('reconnecting');
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(count + 1);
  });
});
