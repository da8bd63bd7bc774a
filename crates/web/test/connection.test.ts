import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection, type ConnectionState } from '../src/connection/connection.ts';
import type { Delivery, Follower } from '../src/connection/follower.ts';
import { Refusal } from '../src/connection/outbox.ts';
import type { LobbyFrame, TableFrame } from '../src/protocol/frames.ts';
import type { Head, ServerFrame } from '../src/protocol/generated.ts';
import { FakeSocket } from './support/fake-socket.ts';
import { lobbyOf } from './support/lobby.ts';
import { MATCH, ScriptedMatch, TABLE } from './support/match.ts';

const WELCOME: ServerFrame = { t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: null };

/** A follower that counts: it takes events in order and nothing else. */
class Counter implements Follower {
  readonly isPreview = false;
  accessSecret: string | undefined = undefined;
  serverHead: Head | null = null;
  readonly taken: TableFrame[] = [];
  refusal: string | null = null;

  head(): Head | null {
    return this.serverHead;
  }

  deliver(frame: TableFrame): Delivery {
    if (frame.t === 'event' && (this.serverHead === null || frame.seq > this.serverHead.seq + 1)) return 'gap';
    this.taken.push(frame);
    if (frame.t !== 'presence') this.serverHead = { match: MATCH, seq: frame.seq };
    return 'taken';
  }

  onRefused(code: string): void {
    this.refusal = code;
  }
}

/** A connection over sockets that the test works. */
function setUp() {
  const sockets: FakeSocket[] = [];
  const states: ConnectionState[] = [];
  const lobby: LobbyFrame[] = [];
  const connection = new Connection(
    {
      onState: (state) => states.push(state),
      onWelcome: () => {},
      onLobby: (frame) => lobby.push(frame),
    },
    {
      openSocket: () => {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket as unknown as WebSocket;
      },
      random: () => 0,
    },
  );
  const current = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (socket === undefined) throw new Error('no socket was opened');
    return socket;
  };
  const online = (): FakeSocket => {
    connection.connect();
    current().accept();
    current().say(WELCOME);
    return current();
  };
  return { connection, sockets, states, lobby, current, online };
}

function snapshot(seq: number): ServerFrame {
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).begin('white');
  return { ...match.snapshot(null), seq };
}

function event(seq: number): ServerFrame {
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).begin('white');
  return { ...match.move('e2e4'), seq };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the line', () => {
  it('says hello first and is up when welcomed', () => {
    const { online, states } = setUp();
    const socket = online();
    expect(socket.sent[0]).toEqual({ t: 'hello' });
    expect(states).toEqual(['connecting', 'online']);
  });

  it('comes back by itself, waiting longer each time, and starts short again once it stood', () => {
    const { online, sockets, current, states } = setUp();
    online().drop();
    expect(states.at(-1)).toBe('reconnecting');
    vi.advanceTimersByTime(399);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(2);
    current().drop();
    vi.advanceTimersByTime(799);
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(1);
    current().accept();
    current().say(WELCOME);
    current().drop();
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(4);
  });

  it('never waits longer than 15 s', () => {
    const { online, sockets, current } = setUp();
    online().drop();
    for (let count = 0; count < 12; count += 1) {
      vi.advanceTimersByTime(15_000);
      current().drop();
    }
    const before = sockets.length;
    vi.advanceTimersByTime(15_000);
    expect(sockets.length).toBe(before + 1);
  });

  it('comes again when a closing server asked it to', () => {
    const { online, sockets } = setUp();
    const socket = online();
    socket.say({ t: 'closing', retry_after_ms: 3_000 });
    socket.drop();
    vi.advanceTimersByTime(2_999);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(2);
  });

  it('pings each 15 s however much is said in between', () => {
    const { online } = setUp();
    const socket = online();
    for (let second = 0; second < 31; second += 1) {
      vi.advanceTimersByTime(1_000);
      socket.say({ t: 'pong', heads: {} });
    }
    expect(socket.ofKind('ping')).toHaveLength(2);
  });

  it('takes a line that stays silent after a ping for dead', () => {
    const { online, sockets, states } = setUp();
    online();
    vi.advanceTimersByTime(15_000 + 8_000);
    expect(states.at(-1)).toBe('reconnecting');
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(2);
  });

  it('gives up a line that never stands', () => {
    const { connection, sockets } = setUp();
    connection.connect();
    vi.advanceTimersByTime(8_000 + 400);
    expect(sockets).toHaveLength(2);
  });

  it('hears nothing from a line it gave up', () => {
    const { connection, online, lobby } = setUp();
    const old = online();
    connection.reopen();
    old.say(lobbyOf([]));
    expect(lobby).toEqual([]);
  });

  it('tries at once when nudged', () => {
    const { connection, online, sockets } = setUp();
    online().drop();
    connection.checkNow();
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(400);
    expect(sockets).toHaveLength(2);
  });

  it('drops frames it does not know', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { online, lobby, states } = setUp();
    const socket = online();
    for (const odd of ['', 'nonsense', 'null', '[]', '{"t":"toString"}', '{"t":"new_in_v2"}', '{"t":7}']) socket.sayText(odd);
    expect(warn).toHaveBeenCalledTimes(7);
    expect(states.at(-1)).toBe('online');
    socket.say(lobbyOf([]));
    expect(lobby).toHaveLength(1);
    warn.mockRestore();
  });
});

describe('following a table', () => {
  it('asks for the whole table first, and after a loss for what is missing', () => {
    const { connection, online, current } = setUp();
    const follower = new Counter();
    const socket = online();
    connection.follow(TABLE, follower);
    expect(socket.ofKind('watch')).toEqual([{ t: 'watch', table: TABLE }]);
    socket.say(snapshot(7));
    socket.say(event(8));
    socket.drop();
    vi.advanceTimersByTime(400);
    current().accept();
    expect(current().sent).toEqual([{ t: 'hello' }, { t: 'watch', table: TABLE, match: MATCH, after: 8 }]);
  });

  it('shows the key of a private table each time', () => {
    const { connection, online } = setUp();
    const follower = new Counter();
    follower.accessSecret = 'secret';
    connection.follow(TABLE, follower);
    expect(online().ofKind('watch')).toEqual([{ t: 'watch', table: TABLE, secret: 'secret' }]);
  });

  it('asks once for what a gap hides, then goes on', () => {
    const { connection, online } = setUp();
    const follower = new Counter();
    const socket = online();
    connection.follow(TABLE, follower);
    socket.say(snapshot(7));
    socket.say(event(9));
    socket.say(event(10));
    expect(socket.ofKind('watch').slice(1)).toEqual([{ t: 'watch', table: TABLE, match: MATCH, after: 7 }]);
    for (const seq of [8, 9, 10]) socket.say(event(seq));
    expect(follower.serverHead?.seq).toBe(10);
    vi.advanceTimersByTime(6_000);
    expect(socket.ofKind('watch')).toHaveLength(2);
  });

  it('asks for the whole table when the missing events do not come', () => {
    const { connection, online } = setUp();
    const socket = online();
    connection.follow(TABLE, new Counter());
    socket.say(snapshot(7));
    socket.say(event(9));
    vi.advanceTimersByTime(5_000);
    expect(socket.ofKind('watch').at(-1)).toEqual({ t: 'watch', table: TABLE });
  });

  it('finds a silent gap by the heads of a pong', () => {
    const { connection, online } = setUp();
    const socket = online();
    connection.follow(TABLE, new Counter());
    socket.say(snapshot(7));
    socket.say({ t: 'pong', heads: { [TABLE]: { match: MATCH, seq: 7 } } });
    expect(socket.ofKind('watch')).toHaveLength(1);
    socket.say({ t: 'pong', heads: { [TABLE]: { match: MATCH, seq: 8 } } });
    expect(socket.ofKind('watch').at(-1)).toEqual({ t: 'watch', table: TABLE, match: MATCH, after: 7 });
  });

  it('watches again what the server has forgotten or where another match began', () => {
    for (const heads of [{}, { [TABLE]: { match: 'another', seq: 1 } }]) {
      const { connection, online } = setUp();
      const socket = online();
      connection.follow(TABLE, new Counter());
      socket.say(snapshot(7));
      socket.say({ t: 'pong', heads });
      expect(socket.ofKind('watch')).toHaveLength(2);
    }
  });

  it('tells that a table cannot be watched, but tries again when it only asked too fast', () => {
    const { connection, online } = setUp();
    const follower = new Counter();
    const socket = online();
    connection.follow(TABLE, follower);
    socket.say({ t: 'refused', table: TABLE, code: 'rate_limited', message: 'slow down' });
    expect(follower.refusal).toBeNull();
    vi.advanceTimersByTime(1_500);
    expect(socket.ofKind('watch')).toHaveLength(2);
    socket.say({ t: 'refused', table: TABLE, code: 'not_found', message: 'no such table' });
    expect(follower.refusal).toBe('not_found');
  });

  it('stops when it is let go', () => {
    const { connection, online, current } = setUp();
    const follower = new Counter();
    const socket = online();
    const stop = connection.follow(TABLE, follower);
    stop();
    expect(socket.ofKind('unwatch')).toEqual([{ t: 'unwatch', table: TABLE }]);
    socket.say(snapshot(7));
    expect(follower.taken).toEqual([]);
    socket.drop();
    vi.advanceTimersByTime(400);
    current().accept();
    expect(current().sent).toEqual([{ t: 'hello' }]);
  });

  it('follows the lobby across a loss', () => {
    const { connection, online, current } = setUp();
    const stop = connection.followLobby();
    const socket = online();
    expect(socket.ofKind('watch_lobby')).toHaveLength(1);
    socket.drop();
    vi.advanceTimersByTime(400);
    current().accept();
    expect(current().ofKind('watch_lobby')).toHaveLength(1);
    stop();
    expect(current().ofKind('unwatch_lobby')).toHaveLength(1);
  });
});

describe('commands', () => {
  const resign = { t: 'resign', table: TABLE } as const;

  it('get a name of their own and their answer', async () => {
    const { connection, online } = setUp();
    const socket = online();
    const answers = [connection.command(resign), connection.command(resign)];
    const [first, second] = socket.ofKind('resign');
    expect(first?.cmd).toMatch(/^[0-9a-f]{24}$/);
    expect(first?.cmd).not.toBe(second?.cmd);
    socket.say({ t: 'ack', table: TABLE, match: MATCH, cmd: second?.cmd ?? '', seq: 9 });
    socket.say({ t: 'refused', table: TABLE, cmd: first?.cmd ?? '', code: 'not_seated', message: 'you hold no seat here' });
    await expect(answers[0]).rejects.toEqual(new Refusal('not_seated', 'you hold no seat here'));
    await expect(answers[1]).resolves.toBe(9);
  });

  it('are sent again under the same name after a loss, in order, after the watches', async () => {
    const { connection, online, current } = setUp();
    const socket = online();
    connection.follow(TABLE, new Counter());
    socket.say(snapshot(7));
    const moved = connection.command({ t: 'move', table: TABLE, after: 7, move: 'e2e4' });
    void connection.command(resign);
    const [move] = socket.ofKind('move');
    socket.drop();
    vi.advanceTimersByTime(400);
    current().accept();
    current().say(WELCOME);
    expect(current().sent.map((frame) => frame.t)).toEqual(['hello', 'watch', 'move', 'resign']);
    expect(current().ofKind('move')).toEqual([move]);
    current().say({ t: 'ack', table: TABLE, match: MATCH, cmd: move?.cmd ?? '', seq: 8 });
    await expect(moved).resolves.toBe(8);
    current().drop();
    vi.advanceTimersByTime(400);
    current().accept();
    expect(current().ofKind('move')).toEqual([]);
    expect(current().ofKind('resign')).toHaveLength(1);
  });

  it('made while the line is down are sent when it stands', () => {
    const { connection, online } = setUp();
    void connection.command(resign);
    expect(online().ofKind('resign')).toHaveLength(1);
  });

  it('are sent again when the server only asked for patience', async () => {
    const { connection, online, current } = setUp();
    const socket = online();
    const answer = connection.command(resign);
    const cmd = socket.ofKind('resign')[0]?.cmd ?? '';
    socket.say({ t: 'refused', table: TABLE, cmd, code: 'rate_limited', message: 'slow down' });
    vi.advanceTimersByTime(1_500);
    expect(socket.ofKind('resign').map((frame) => frame.cmd)).toEqual([cmd, cmd]);
    socket.say({ t: 'refused', table: TABLE, cmd, code: 'closing', message: 'come again' });
    socket.drop();
    vi.advanceTimersByTime(400);
    current().accept();
    expect(current().ofKind('resign')[0]?.cmd).toBe(cmd);
    current().say({ t: 'ack', table: TABLE, match: MATCH, cmd, seq: 3 });
    await expect(answer).resolves.toBe(3);
  });

  it('are not sent again when they are words: their writer is told', async () => {
    const { connection, online } = setUp();
    const socket = online();
    const answer = connection.command({ t: 'chat', table: TABLE, room: 'seated', message: { text: 'hi' } });
    const cmd = socket.ofKind('chat')[0]?.cmd ?? '';
    socket.say({ t: 'refused', table: TABLE, cmd, code: 'rate_limited', message: 'wait a moment' });
    await expect(answer).rejects.toMatchObject({ code: 'rate_limited', message: 'wait a moment' });
    vi.advanceTimersByTime(60_000);
    expect(socket.ofKind('chat')).toHaveLength(1);
  });
});
