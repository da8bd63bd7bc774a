import { SUBPROTOCOL, type CommandBody, type FrameOf, type LobbyFrame, type OwnTablesFrame } from '../protocol/frames.ts';
import type { ClientFrame, ServerFrame, TableId } from '../protocol/generated.ts';
import { Backoff } from './backoff.ts';
import { REFUSAL_WAIT_MS, type Follower } from './follower.ts';
import { Outbox } from './outbox.ts';
import { Overlap } from './overlap.ts';
import { Socket } from './socket.ts';
import { Subscriptions } from './subscriptions.ts';

/** The state of the connection: not connected yet, connected, or lost and reconnecting. */
export type ConnectionState = 'connecting' | 'online' | 'reconnecting';

/** The callbacks for the owner of a connection. */
export interface ConnectionEvents {
  onState(state: ConnectionState): void;
  onWelcome(frame: FrameOf<'welcome'>): void;
  onLobby(frame: LobbyFrame): void;
  onOwnTables(frame: OwnTablesFrame): void;
}

/** The browser's functions that a connection needs. Tests replace them. */
export interface ConnectionEnvironment {
  openSocket(): WebSocket;
  random(): number;
}

/**
 * The time after which an unanswered socket is dead, in milliseconds, once the network has returned.
 * A socket that was opened before is most likely dead.
 */
const RETURN_TIMEOUT_MS = 2_000;

/**
 * The connection to the server. After a loss it reconnects, subscribes again from the last received
 * events, and sends unanswered commands again. If the server announces that it will close the
 * socket, another one replaces it before, without a loss. The connection handles frames only. The
 * followers keep the state of the tables.
 */
export class Connection {
  readonly #events: ConnectionEvents;
  readonly #environment: ConnectionEnvironment;
  readonly #backoff: Backoff;
  readonly #outbox = new Outbox();
  readonly #subscriptions = new Subscriptions((frame) => this.#send(frame));
  /** The socket to which frames are sent. */
  #socket: Socket | undefined;
  /** The socket that will replace the current one as soon as it is welcomed. */
  #successor: Socket | undefined;
  #successorTimer: ReturnType<typeof setTimeout> | undefined;
  /** Set while the replaced socket is open too. */
  #overlap: Overlap | undefined;
  #wasOnline = false;
  #retryAfter_ms: number | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(events: ConnectionEvents, environment: ConnectionEnvironment) {
    this.#events = events;
    this.#environment = environment;
    this.#backoff = new Backoff(environment.random);
  }

  /** Opens a connection unless one is open or opening. */
  connect(): void {
    if (this.#socket !== undefined) return;
    clearTimeout(this.#retryTimer);
    this.#events.onState(this.#wasOnline ? 'reconnecting' : 'connecting');
    this.#socket = this.#openSocket();
    if (this.#socket === undefined) this.#scheduleRetry();
  }

  /** Closes the connection and opens a new one, for example as another user. */
  reopen(): void {
    this.#discardSockets();
    this.connect();
  }

  /** Connects at once if there is no connection, for example because the user has touched the page. */
  connectNow(): void {
    if (this.#socket === undefined) this.connect();
  }

  /**
   * Reconnects after the network has returned. An old socket would wait for answers to packets that
   * were lost.
   */
  networkReturned(): void {
    if (this.#socket?.isOpen !== true) return this.reopen();
    this.#socket.pingWithTimeout(RETURN_TIMEOUT_MS);
    if (this.#successor === undefined) return;
    this.#discardSuccessor();
    this.#openSuccessor();
  }

  /** Checks the connection at once instead of at the next ping, after the page becomes visible. */
  checkNow(): void {
    if (this.#socket === undefined) this.connect();
    else if (this.#socket.isOpen) this.#socket.ping();
  }

  /** Follows a table until the returned function is called. */
  follow(table: TableId, follower: Follower): () => void {
    return this.#subscriptions.follow(table, follower);
  }

  /** Follows the lobby until the returned function is called. */
  followLobby(): () => void {
    return this.#subscriptions.followLobby();
  }

  /**
   * Sends a command as soon as there is a connection, and again after each loss until it is
   * answered. Resolves with the number of the command's last event, or rejects with a `Refusal`.
   */
  command(body: CommandBody): Promise<number> {
    const { command, answer } = this.#outbox.add(body);
    this.#send(command);
    return answer;
  }

  /** Opens a socket. Returns `undefined` if the browser or one of its extensions refuses. */
  #openSocket(): Socket | undefined {
    try {
      return new Socket(this.#environment.openSocket(), {
        onOpen: (socket) => this.#onOpen(socket),
        onFrame: (socket, frame) => this.#onFrame(socket, frame),
        onEnd: (socket) => this.#onEnd(socket),
      });
    } catch (error) {
      console.warn('the connection could not be opened', error);
      return undefined;
    }
  }

  #onOpen(socket: Socket): void {
    socket.send({ t: 'hello' });
    if (socket === this.#socket) this.#renew();
  }

  /** Subscribes to the tables and the lobby, and sends the unanswered commands, on a new socket. */
  #renew(): void {
    this.#subscriptions.renew();
    for (const command of this.#outbox.unanswered()) this.#send(command);
  }

  #onFrame(socket: Socket, frame: ServerFrame): void {
    if (socket === this.#successor) return this.#onSuccessorFrame(socket, frame);
    if (socket === this.#overlap?.replaced) {
      if (this.#overlap.needs(frame)) this.#handleFrame(frame);
      return;
    }
    this.#overlap?.recordAnswer(frame);
    this.#handleFrame(frame);
    this.#endOverlap();
  }

  /** Replaces the current socket if the successor is welcome. Otherwise tries again later. */
  #onSuccessorFrame(successor: Socket, frame: ServerFrame): void {
    if (frame.t !== 'welcome') {
      this.#discardSuccessor();
      return this.#scheduleSuccessor(this.#backoff.next());
    }
    this.#overlap?.replaced.close();
    this.#overlap = this.#socket === undefined ? undefined : new Overlap(this.#socket);
    this.#socket = successor;
    this.#successor = undefined;
    this.#handleFrame(frame);
    this.#renew();
    this.#endOverlap();
  }

  /** Closes the replaced socket when it is not needed any more. */
  #endOverlap(): void {
    if (this.#overlap?.isOver(this.#subscriptions.topics()) !== true) return;
    this.#overlap.replaced.close();
    this.#overlap = undefined;
  }

  #handleFrame(frame: ServerFrame): void {
    switch (frame.t) {
      case 'welcome':
        this.#wasOnline = true;
        this.#backoff.reset();
        this.#events.onState('online');
        this.#events.onWelcome(frame);
        // A client without a user has no tables of its own.
        if (frame.user === null) this.#events.onOwnTables({ t: 'own_tables', tables: [] });
        this.#subscriptions.followOwnTables(frame.user !== null);
        break;
      case 'lobby':
      case 'lobby_table':
      case 'lobby_removed':
      case 'lobby_preview':
        this.#events.onLobby(frame);
        break;
      case 'own_tables':
      case 'own_table':
      case 'own_table_removed':
        this.#events.onOwnTables(frame);
        break;
      case 'snapshot':
      case 'event':
      case 'skip':
      case 'presence':
        this.#subscriptions.deliver(frame);
        break;
      case 'ack':
        this.#outbox.acknowledge(frame);
        break;
      case 'refused':
        this.#handleRefusal(frame);
        break;
      case 'pong':
        this.#subscriptions.compareHeads(frame.heads);
        break;
      case 'watching':
        break;
      case 'closing':
        if ((frame.open_for_ms ?? 0) > 0) this.#scheduleSuccessor(frame.retry_after_ms);
        else this.#retryAfter_ms = frame.retry_after_ms;
        break;
    }
  }

  #handleRefusal(frame: FrameOf<'refused'>): void {
    if (frame.cmd !== undefined) this.#handleRefusedCommand(frame.cmd, frame);
    else if (frame.table !== undefined) this.#subscriptions.refuse(frame.table, frame);
    else console.warn('the server refused a frame', frame.code, frame.message);
  }

  /**
   * Handles the refusal of a command. After `closing` the command is sent again on the next
   * connection. After `rate_limited` a command is sent again soon, but a chat message is not,
   * because its writer can send it again.
   */
  #handleRefusedCommand(cmd: string, { code, message }: FrameOf<'refused'>): void {
    if (code === 'closing') return;
    if (code !== 'rate_limited' || this.#outbox.get(cmd)?.t === 'chat') return this.#outbox.refuse(cmd, code, message);
    setTimeout(() => {
      const command = this.#outbox.get(cmd);
      if (command !== undefined) this.#send(command);
    }, REFUSAL_WAIT_MS);
  }

  /**
   * Sends a frame if the connection is open. Otherwise the frame is dropped: `#onOpen` sends
   * everything that is still needed.
   */
  #send(frame: ClientFrame): void {
    this.#socket?.send(frame);
  }

  #onEnd(socket: Socket): void {
    if (socket === this.#successor) {
      this.#successor = undefined;
      this.#scheduleSuccessor(this.#backoff.next());
    } else if (socket === this.#overlap?.replaced) this.#overlap = undefined;
    else if (this.#overlap !== undefined) this.#returnTo(this.#overlap.replaced);
    else if (this.#successor !== undefined) this.#waitFor(this.#successor);
    else {
      this.#discardSockets();
      this.#scheduleRetry();
    }
  }

  /** Uses the replaced socket again, because its successor was lost during the overlap. */
  #returnTo(replaced: Socket): void {
    this.#overlap = undefined;
    this.#socket = replaced;
    this.#renew();
    this.#subscriptions.renewOwnTables();
    this.#scheduleSuccessor(this.#backoff.next());
  }

  /** Waits for the successor after the current socket was lost too early. */
  #waitFor(successor: Socket): void {
    this.#socket = successor;
    this.#successor = undefined;
    this.#events.onState('reconnecting');
    // If the socket is not open yet, this sends nothing, and is repeated when it opens.
    this.#renew();
  }

  #scheduleSuccessor(wait_ms: number): void {
    clearTimeout(this.#successorTimer);
    this.#successorTimer = setTimeout(() => this.#openSuccessor(), wait_ms);
  }

  #openSuccessor(): void {
    this.#successor ??= this.#openSocket();
    if (this.#successor === undefined) this.#scheduleSuccessor(this.#backoff.next());
  }

  #discardSuccessor(): void {
    clearTimeout(this.#successorTimer);
    this.#successor?.close();
    this.#successor = undefined;
  }

  #discardSockets(): void {
    this.#discardSuccessor();
    this.#overlap?.replaced.close();
    this.#overlap = undefined;
    this.#socket?.close();
    this.#socket = undefined;
    this.#subscriptions.stopWaiting();
  }

  #scheduleRetry(): void {
    this.#events.onState(this.#wasOnline ? 'reconnecting' : 'connecting');
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.connect(), this.#backoff.next(this.#retryAfter_ms));
    this.#retryAfter_ms = undefined;
  }
}

/** Returns the functions of this browser. */
export function browserEnvironment(page: Location): ConnectionEnvironment {
  const scheme = page.protocol === 'https:' ? 'wss' : 'ws';
  return {
    openSocket: () => new WebSocket(`${scheme}://${page.host}/ws`, SUBPROTOCOL),
    random: () => Math.random(),
  };
}
