import { readFrame, SUBPROTOCOL, type CommandBody, type FrameOf, type LobbyFrame } from '../protocol/frames.ts';
import type { ClientFrame, ServerFrame, TableId } from '../protocol/generated.ts';
import { Backoff } from './backoff.ts';
import { SLOW_DOWN_MS, Subscription, type Follower } from './follower.ts';
import { Outbox } from './outbox.ts';

/** The state of the connection to the server: never yet, up, or lost and reconnecting. */
export type LineState = 'connecting' | 'online' | 'reconnecting';

/** The events that the connection reports to its owner. */
export interface ConnectionEvents {
  line(state: LineState): void;
  welcome(frame: FrameOf<'welcome'>): void;
  lobby(frame: LobbyFrame): void;
}

/** The world around a connection, to be replaced in tests. */
export interface Surroundings {
  open(): WebSocket;
  random(): number;
}

/** The interval between two tests of the connection, in milliseconds: a silent gap shows within this time. */
const PING_MS = 15_000;
/** The time for an answer before the connection counts as dead, in milliseconds. */
const WORD_WITHIN_MS = 8_000;

/**
 * The one WebSocket to the server. It comes back by itself after a loss, asks again for all that is followed from
 * where it stood, and sends again what has no answer. It knows frames, not matches: state lives in the followers.
 */
export class Connection {
  readonly #events: ConnectionEvents;
  readonly #surroundings: Surroundings;
  readonly #backoff: Backoff;
  readonly #outbox = new Outbox();
  readonly #subscriptions = new Map<TableId, Subscription>();
  #lobbyWanted = false;
  #socket: WebSocket | undefined;
  #stood = false;
  #retryAfter_ms: number | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(events: ConnectionEvents, surroundings: Surroundings) {
    this.#events = events;
    this.#surroundings = surroundings;
    this.#backoff = new Backoff(surroundings.random);
  }

  /** Opens the line unless it is open or opening. */
  connect(): void {
    if (this.#socket !== undefined) return;
    clearTimeout(this.#retry);
    this.#events.line(this.#stood ? 'reconnecting' : 'connecting');
    const socket = this.#open();
    if (socket === null) return this.#retryLater();
    this.#socket = socket;
    this.#expectWord();
    socket.addEventListener('open', () => this.#greet(socket));
    socket.addEventListener('message', (message) => this.#receive(socket, message.data));
    socket.addEventListener('close', () => this.#lose(socket));
  }

  /** Gives the line up and opens a new one, as somebody else perhaps. */
  reopen(): void {
    this.#abandon();
    this.connect();
  }

  /** The page woke up or the network came back: find out now rather than at the next ping. */
  nudge(): void {
    if (this.#socket === undefined) this.connect();
    else if (this.#socket.readyState === WebSocket.OPEN) this.#testLine();
  }

  /** Follows a table until the returned function is called. */
  follow(table: TableId, follower: Follower): () => void {
    const subscription = new Subscription(table, follower, (frame) => this.#send(frame));
    this.#subscriptions.set(table, subscription);
    subscription.watch();
    return () => {
      subscription.rest();
      if (this.#subscriptions.get(table) !== subscription) return;
      this.#subscriptions.delete(table);
      this.#send({ t: 'unwatch', table });
    };
  }

  /** Follows the list of public tables until the returned function is called. */
  followLobby(): () => void {
    this.#lobbyWanted = true;
    this.#send({ t: 'watch_lobby' });
    return () => {
      this.#lobbyWanted = false;
      this.#send({ t: 'unwatch_lobby' });
    };
  }

  /**
   * Sends a command, now or as soon as the line stands, and again after each loss until it is answered.
   * Resolves with the `seq` of its last event, rejects with a `Refusal`.
   */
  command(body: CommandBody): Promise<number> {
    const { command, answer } = this.#outbox.add(body);
    this.#send(command);
    return answer;
  }

  /** A browser or what is installed in it may refuse to open any line. */
  #open(): WebSocket | null {
    try {
      return this.#surroundings.open();
    } catch (error) {
      console.warn('no line could be opened', error);
      return null;
    }
  }

  #greet(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#ping = setTimeout(() => this.#testLine(), PING_MS);
    this.#send({ t: 'hello' });
    if (this.#lobbyWanted) this.#send({ t: 'watch_lobby' });
    for (const subscription of this.#subscriptions.values()) subscription.watch();
    for (const command of this.#outbox.unanswered()) this.#send(command);
  }

  #receive(socket: WebSocket, data: unknown): void {
    if (socket !== this.#socket || typeof data !== 'string') return;
    clearTimeout(this.#silence);
    this.#silence = undefined;
    const frame = readFrame(data);
    if (frame === null) console.warn('dropped a frame this client does not know', data.slice(0, 200));
    else this.#route(frame);
  }

  #route(frame: ServerFrame): void {
    switch (frame.t) {
      case 'welcome':
        this.#stood = true;
        this.#backoff.reset();
        this.#events.line('online');
        this.#events.welcome(frame);
        break;
      case 'lobby':
      case 'lobby_table':
      case 'lobby_removed':
      case 'lobby_preview':
        this.#events.lobby(frame);
        break;
      case 'snapshot':
      case 'event':
      case 'skip':
      case 'presence':
        this.#subscriptions.get(frame.table)?.deliver(frame);
        break;
      case 'ack':
        this.#outbox.acknowledge(frame);
        break;
      case 'refused':
        this.#refused(frame);
        break;
      case 'pong':
        for (const [table, subscription] of this.#subscriptions) subscription.compare(frame.heads[table]);
        break;
      case 'watching':
        break;
      case 'closing':
        this.#retryAfter_ms = frame.retry_after_ms;
        break;
    }
  }

  #refused(frame: FrameOf<'refused'>): void {
    if (frame.cmd !== undefined) this.#refusedCommand(frame.cmd, frame);
    else if (frame.table !== undefined) this.#subscriptions.get(frame.table)?.refused(frame.code, frame.message);
    else console.warn('the server refused a frame', frame.code, frame.message);
  }

  /** "Slow down" and "come again" are no answers: the command is sent again. But words are their writer's to send again. */
  #refusedCommand(cmd: string, { code, message }: FrameOf<'refused'>): void {
    if (code === 'closing') return;
    if (code !== 'rate_limited' || this.#outbox.get(cmd)?.t === 'chat') return this.#outbox.refuse(cmd, code, message);
    setTimeout(() => {
      const command = this.#outbox.get(cmd);
      if (command !== undefined) this.#send(command);
    }, SLOW_DOWN_MS);
  }

  /** Frames for a line that is not up are not kept: all that matters is said again by `#greet`. */
  #send(frame: ClientFrame): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #testLine(): void {
    clearTimeout(this.#ping);
    this.#ping = setTimeout(() => this.#testLine(), PING_MS);
    this.#send({ t: 'ping' });
    this.#expectWord();
  }

  /** Whatever comes next proves the line alive; if nothing does, it is dead. */
  #expectWord(): void {
    this.#silence ??= setTimeout(() => {
      this.#abandon();
      this.#retryLater();
    }, WORD_WITHIN_MS);
  }

  #lose(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#abandon();
    this.#retryLater();
  }

  /** Forgets the socket at once; a dead line may take minutes to say that it is closed. */
  #abandon(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    clearTimeout(this.#ping);
    clearTimeout(this.#silence);
    this.#silence = undefined;
    for (const subscription of this.#subscriptions.values()) subscription.rest();
    socket?.close();
  }

  #retryLater(): void {
    this.#events.line(this.#stood ? 'reconnecting' : 'connecting');
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.connect(), this.#backoff.next(this.#retryAfter_ms));
    this.#retryAfter_ms = undefined;
  }
}

/** The browser's own surroundings. */
export function browserSurroundings(page: Location): Surroundings {
  const scheme = page.protocol === 'https:' ? 'wss' : 'ws';
  return {
    open: () => new WebSocket(`${scheme}://${page.host}/ws`, SUBPROTOCOL),
    random: () => Math.random(),
  };
}
