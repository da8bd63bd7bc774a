import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import { Counter, event, setUpConnection as setUp, snapshot, WELCOME } from './support/connection.ts';
import { lobbyFrame } from './support/lobby.ts';
import { MATCH, TABLE } from './support/match.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the connection', () => {
  it('sends hello first and is online after the welcome', () => {
    const { online, states } = setUp();
    const socket = online();
    expect(socket.sent[0]).toEqual({ t: 'hello' });
    expect(states).toEqual(['connecting', 'online']);
  });

  it('reconnects after increasing pauses, and starts with a short pause after a success', () => {
    const { online, sockets, current, states } = setUp();
    online().lose();
    expect(states.at(-1)).toBe('reconnecting');
    vi.advanceTimersByTime(399);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(2);
    current().lose();
    vi.advanceTimersByTime(799);
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(1);
    current().open();
    current().receive(WELCOME);
    current().lose();
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(4);
  });

  it('never waits longer than 3 s', () => {
    const { online, sockets, current } = setUp();
    online().lose();
    for (let count = 0; count < 12; count += 1) {
      vi.advanceTimersByTime(3_000);
      current().lose();
    }
    const before = sockets.length;
    vi.advanceTimersByTime(3_000);
    expect(sockets.length).toBe(before + 1);
  });

  it.each(['current', 'successor', 'replaced'])('does not reconnect after the server has ended the session of its %s socket', (which) => {
    const { connection, online, sockets, current, states, ends } = setUp();
    const first = online();
    connection.follow(TABLE, new Counter());
    if (which !== 'current') {
      first.receive({ t: 'closing', retry_after_ms: 1_000, open_for_ms: 30_000 });
      vi.advanceTimersByTime(1_000);
      current().open();
      if (which === 'replaced') current().receive(WELCOME);
    }
    (which === 'successor' ? current() : first).lose(4001);
    expect(ends.count).toBe(1);
    expect(states.at(-1)).toBe('signed_out');
    const opened = sockets.length;
    expect(sockets.map(({ readyState }) => readyState)).toEqual(sockets.map(() => WebSocket.CLOSED));
    vi.advanceTimersByTime(120_000);
    connection.connect();
    connection.networkReturned();
    connection.checkNow();
    expect(sockets).toHaveLength(opened);
    connection.reopen();
    expect(sockets).toHaveLength(opened + 1);
    current().open();
    current().receive(WELCOME);
    expect(states.at(-1)).toBe('online');
    current().lose();
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(opened + 2);
    expect(ends.count).toBe(1);
  });

  it('reconnects at the time that a closing server requests', () => {
    const { online, sockets } = setUp();
    const socket = online();
    socket.receive({ t: 'closing', retry_after_ms: 3_000 });
    socket.lose();
    vi.advanceTimersByTime(2_999);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(2);
  });

  it('pings every 15 s despite other frames', () => {
    const { online } = setUp();
    const socket = online();
    for (let second = 0; second < 31; second += 1) {
      vi.advanceTimersByTime(1_000);
      socket.receive({ t: 'pong', heads: {} });
    }
    expect(socket.ofKind('ping')).toHaveLength(2);
  });

  it('reconnects when a ping stays unanswered', () => {
    const { online, sockets, states } = setUp();
    online();
    vi.advanceTimersByTime(15_000 + 8_000);
    expect(states.at(-1)).toBe('reconnecting');
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(2);
  });

  it('gives up a socket that never opens', () => {
    const { connection, sockets } = setUp();
    connection.connect();
    vi.advanceTimersByTime(8_000 + 400);
    expect(sockets).toHaveLength(2);
  });

  it('ignores frames of a discarded socket', () => {
    const { connection, online, lobby } = setUp();
    const old = online();
    connection.reopen();
    old.receive(lobbyFrame([]));
    expect(lobby).toEqual([]);
  });

  it('connects at once when it is checked', () => {
    const { connection, online, sockets } = setUp();
    online().lose();
    connection.checkNow();
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(2);
  });

  it('restarts a pending connection when the network returns', () => {
    const { connection, online, sockets, current } = setUp();
    online().lose();
    vi.advanceTimersByTime(400);
    const lost = current();
    connection.networkReturned();
    expect(sockets).toHaveLength(3);
    expect(lost.readyState).toBe(WebSocket.CLOSED);
  });

  it('drops a silent connection 2 s after the network has returned, and keeps one that answers', () => {
    const { connection, online, sockets, current } = setUp();
    const first = online();
    connection.networkReturned();
    expect(first.ofKind('ping')).toHaveLength(1);
    first.receive({ t: 'pong', heads: {} });
    vi.advanceTimersByTime(2_500);
    expect(current()).toBe(first);
    connection.networkReturned();
    vi.advanceTimersByTime(2_000 + 400);
    expect(sockets).toHaveLength(2);
  });

  it('connects at once when the page is touched, and keeps an open connection', () => {
    const { connection, online, sockets } = setUp();
    online();
    connection.connect();
    expect(sockets).toHaveLength(1);
    sockets[0]?.lose();
    connection.connect();
    expect(sockets).toHaveLength(2);
  });

  it('drops unknown frames', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { online, lobby, states } = setUp();
    const socket = online();
    for (const odd of ['', 'nonsense', 'null', '[]', '{"t":"toString"}', '{"t":"new_in_v2"}', '{"t":7}']) socket.receiveText(odd);
    expect(warn).toHaveBeenCalledTimes(7);
    expect(states.at(-1)).toBe('online');
    socket.receive(lobbyFrame([]));
    expect(lobby).toHaveLength(1);
    warn.mockRestore();
  });
});

describe('following a table', () => {
  it('requests a snapshot first, and missing events after a loss', () => {
    const { connection, online, current } = setUp();
    const follower = new Counter();
    const socket = online();
    connection.follow(TABLE, follower);
    expect(socket.ofKind('watch')).toEqual([{ t: 'watch', table: TABLE }]);
    socket.receive(snapshot(7));
    socket.receive(event(8));
    socket.lose();
    vi.advanceTimersByTime(400);
    current().open();
    expect(current().sent).toEqual([{ t: 'hello' }, { t: 'watch', table: TABLE, match: MATCH, after: 8 }]);
  });

  it('sends the secret of a private table each time', () => {
    const { connection, online } = setUp();
    const follower = new Counter();
    follower.accessSecret = 'secret';
    connection.follow(TABLE, follower);
    expect(online().ofKind('watch')).toEqual([{ t: 'watch', table: TABLE, secret: 'secret' }]);
  });

  it('requests the events of a gap once', () => {
    const { connection, online } = setUp();
    const follower = new Counter();
    const socket = online();
    connection.follow(TABLE, follower);
    socket.receive(snapshot(7));
    socket.receive(event(9));
    socket.receive(event(10));
    expect(socket.ofKind('watch').slice(1)).toEqual([{ t: 'watch', table: TABLE, match: MATCH, after: 7 }]);
    for (const seq of [8, 9, 10]) socket.receive(event(seq));
    expect(follower.serverHead?.seq).toBe(10);
    vi.advanceTimersByTime(6_000);
    expect(socket.ofKind('watch')).toHaveLength(2);
  });

  it('requests a snapshot when the missing events do not arrive', () => {
    const { connection, online } = setUp();
    const socket = online();
    connection.follow(TABLE, new Counter());
    socket.receive(snapshot(7));
    socket.receive(event(9));
    vi.advanceTimersByTime(5_000);
    expect(socket.ofKind('watch').at(-1)).toEqual({ t: 'watch', table: TABLE });
  });

  it('notices a gap by the heads of a pong', () => {
    const { connection, online } = setUp();
    const socket = online();
    connection.follow(TABLE, new Counter());
    socket.receive(snapshot(7));
    socket.receive({ t: 'pong', heads: { [TABLE]: { match: MATCH, seq: 7 } } });
    expect(socket.ofKind('watch')).toHaveLength(1);
    socket.receive({ t: 'pong', heads: { [TABLE]: { match: MATCH, seq: 8 } } });
    expect(socket.ofKind('watch').at(-1)).toEqual({ t: 'watch', table: TABLE, match: MATCH, after: 7 });
  });

  it('subscribes again if the server has forgotten the table or another match began', () => {
    for (const heads of [{}, { [TABLE]: { match: 'another', seq: 1 } }]) {
      const { connection, online } = setUp();
      const socket = online();
      connection.follow(TABLE, new Counter());
      socket.receive(snapshot(7));
      socket.receive({ t: 'pong', heads });
      expect(socket.ofKind('watch')).toHaveLength(2);
    }
  });

  it('reports a refused table, but retries after a rate limit', () => {
    const { connection, online } = setUp();
    const follower = new Counter();
    const socket = online();
    connection.follow(TABLE, follower);
    socket.receive({ t: 'refused', table: TABLE, code: 'rate_limited', message: 'slow down' });
    expect(follower.refusal).toBeNull();
    vi.advanceTimersByTime(1_500);
    expect(socket.ofKind('watch')).toHaveLength(2);
    socket.receive({ t: 'refused', table: TABLE, code: 'not_found', message: 'no such table' });
    expect(follower.refusal).toBe('not_found');
  });

  it('reports a fault of the server only if there is nothing to show', () => {
    const fault = { t: 'refused', table: TABLE, code: 'internal', message: 'fault 7' } as const;
    const { connection, online } = setUp();
    const follower = new Counter();
    const socket = online();
    connection.follow(TABLE, follower);
    socket.receive(snapshot(7));
    socket.receive(fault);
    expect(follower.refusal).toBeNull();
    vi.advanceTimersByTime(1_500);
    expect(socket.ofKind('watch').at(-1)).toEqual({ t: 'watch', table: TABLE, match: MATCH, after: 7 });
    follower.serverHead = null;
    socket.receive(fault);
    expect(follower.refusal).toBe('internal');
  });

  it('is not retried after it was unfollowed', () => {
    const { connection, online } = setUp();
    const socket = online();
    const stop = connection.follow(TABLE, new Counter());
    socket.receive({ t: 'refused', table: TABLE, code: 'rate_limited', message: 'slow down' });
    stop();
    vi.advanceTimersByTime(1_500);
    expect(socket.ofKind('watch')).toHaveLength(1);
  });

  it('stops when it is unfollowed', () => {
    const { connection, online, current } = setUp();
    const follower = new Counter();
    const socket = online();
    const stop = connection.follow(TABLE, follower);
    stop();
    expect(socket.ofKind('unwatch')).toEqual([{ t: 'unwatch', table: TABLE }]);
    socket.receive(snapshot(7));
    expect(follower.taken).toEqual([]);
    socket.lose();
    vi.advanceTimersByTime(400);
    current().open();
    expect(current().sent).toEqual([{ t: 'hello' }]);
  });

  it('follows the lobby across a loss', () => {
    const { connection, online, current } = setUp();
    const stop = connection.followLobby();
    const socket = online();
    expect(socket.ofKind('watch_lobby')).toHaveLength(1);
    socket.lose();
    vi.advanceTimersByTime(400);
    current().open();
    expect(current().ofKind('watch_lobby')).toHaveLength(1);
    const stopOther = connection.followLobby();
    stop();
    expect(current().ofKind('unwatch_lobby'), 'another part of the page follows it').toHaveLength(0);
    stopOther();
    expect(current().ofKind('watch_lobby')).toHaveLength(1);
    expect(current().ofKind('unwatch_lobby')).toHaveLength(1);
  });
});

describe('commands', () => {
  const resign = { t: 'resign', table: TABLE } as const;

  it('get an id and an answer', async () => {
    const { connection, online } = setUp();
    const socket = online();
    const answers = [connection.command(resign), connection.command(resign)];
    const [first, second] = socket.ofKind('resign');
    expect(first?.cmd).toMatch(/^[0-9a-f]{24}$/);
    expect(first?.cmd).not.toBe(second?.cmd);
    socket.receive({ t: 'ack', table: TABLE, match: MATCH, cmd: second?.cmd ?? '', seq: 9 });
    socket.receive({ t: 'refused', table: TABLE, cmd: first?.cmd ?? '', code: 'not_seated', message: 'you hold no seat here' });
    await expect(answers[0]).rejects.toEqual(new Refusal('not_seated', 'you hold no seat here'));
    await expect(answers[1]).resolves.toBe(9);
  });

  it('are repeated with the same id after a loss, in order, after the subscriptions', async () => {
    const { connection, online, current } = setUp();
    const socket = online();
    connection.follow(TABLE, new Counter());
    socket.receive(snapshot(7));
    const moved = connection.command({ t: 'move', table: TABLE, after: 7, move: 'e2e4' });
    void connection.command(resign);
    const [move] = socket.ofKind('move');
    socket.lose();
    vi.advanceTimersByTime(400);
    current().open();
    current().receive(WELCOME);
    expect(current().sent.map((frame) => frame.t)).toEqual(['hello', 'watch', 'move', 'resign']);
    expect(current().ofKind('move')).toEqual([move]);
    current().receive({ t: 'ack', table: TABLE, match: MATCH, cmd: move?.cmd ?? '', seq: 8 });
    await expect(moved).resolves.toBe(8);
    current().lose();
    vi.advanceTimersByTime(400);
    current().open();
    expect(current().ofKind('move')).toEqual([]);
    expect(current().ofKind('resign')).toHaveLength(1);
  });

  it('made offline are sent after connecting', () => {
    const { connection, online } = setUp();
    void connection.command(resign);
    expect(online().ofKind('resign')).toHaveLength(1);
  });

  it('are repeated after a rate limit', async () => {
    const { connection, online, current } = setUp();
    const socket = online();
    const answer = connection.command(resign);
    const cmd = socket.ofKind('resign')[0]?.cmd ?? '';
    socket.receive({ t: 'refused', table: TABLE, cmd, code: 'rate_limited', message: 'slow down' });
    vi.advanceTimersByTime(1_500);
    expect(socket.ofKind('resign').map((frame) => frame.cmd)).toEqual([cmd, cmd]);
    socket.receive({ t: 'refused', table: TABLE, cmd, code: 'closing', message: 'come again' });
    socket.lose();
    vi.advanceTimersByTime(400);
    current().open();
    expect(current().ofKind('resign')[0]?.cmd).toBe(cmd);
    current().receive({ t: 'ack', table: TABLE, match: MATCH, cmd, seq: 3 });
    await expect(answer).resolves.toBe(3);
  });

  it('of the chat are not repeated, but show the refusal', async () => {
    const { connection, online } = setUp();
    const socket = online();
    const answer = connection.command({ t: 'chat', table: TABLE, room: 'seated', message: { text: 'hi' } });
    const cmd = socket.ofKind('chat')[0]?.cmd ?? '';
    socket.receive({ t: 'refused', table: TABLE, cmd, code: 'rate_limited', message: 'wait a moment' });
    await expect(answer).rejects.toMatchObject({ code: 'rate_limited', message: 'wait a moment' });
    vi.advanceTimersByTime(60_000);
    expect(socket.ofKind('chat')).toHaveLength(1);
  });
});
