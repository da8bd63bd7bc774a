import { Connection } from '../../src/connection/connection.ts';
import type { Delivery, Follower } from '../../src/connection/follower.ts';
import type { ConnectionState } from '../../src/connection/transport.ts';
import type { LobbyFrame, OwnTablesFrame, TableFrame } from '../../src/protocol/frames.ts';
import type { Head, ServerFrame } from '../../src/protocol/generated.ts';
import { FakeSocket } from './fake-socket.ts';
import { MATCH, ScriptedMatch } from './match.ts';

/** The welcome of a client without a user. */
export const WELCOME: ServerFrame = { t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: null };

/** A follower that only accepts events in order. */
export class Counter implements Follower {
  readonly isPreview = false;
  accessSecret: string | undefined = undefined;
  serverHead: Head | null = null;
  /** The accepted frames that contained something new. */
  readonly taken: TableFrame[] = [];
  refusal: string | null = null;

  head(): Head | null {
    return this.serverHead;
  }

  deliver(frame: TableFrame): Delivery {
    if (frame.t === 'event' && (this.serverHead === null || frame.seq > this.serverHead.seq + 1)) return 'gap';
    if (frame.t === 'event' && this.serverHead !== null && frame.seq <= this.serverHead.seq) return 'accepted';
    this.taken.push(frame);
    if (frame.t !== 'presence') this.serverHead = { match: MATCH, seq: frame.seq };
    return 'accepted';
  }

  onRefused(code: string): void {
    this.refusal = code;
  }
}

/** Returns a connection whose sockets the test controls, and what it reports. */
export function setUpConnection() {
  const sockets: FakeSocket[] = [];
  const states: ConnectionState[] = [];
  const lobby: LobbyFrame[] = [];
  const ownTables: OwnTablesFrame[] = [];
  /** The number of times that the server has reported the end of the session. */
  const ends = { count: 0 };
  /** Set while the browser refuses to open sockets. */
  const browser = { refuses: false };
  const connection = new Connection(
    {
      onState: (state) => states.push(state),
      onSessionEnd: () => (ends.count += 1),
      onRightsChange: () => {},
      onWelcome: () => {},
      onLobby: (frame) => lobby.push(frame),
      onOwnTables: (frame) => ownTables.push(frame),
      onInvitations: () => {},
    },
    {
      openSocket: () => {
        if (browser.refuses) throw new Error('no sockets');
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
  const online = (welcome = WELCOME): FakeSocket => {
    connection.connect();
    current().open();
    current().receive(welcome);
    return current();
  };
  return { connection, sockets, states, ends, lobby, ownTables, browser, current, online };
}

/** Returns a snapshot of a table whose last event has this number. */
export function snapshot(seq: number): ServerFrame {
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
  return { ...match.snapshot(null), seq };
}

/** Returns an event with this number. */
export function event(seq: number): ServerFrame {
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
  return { ...match.move('e2e4'), seq };
}
