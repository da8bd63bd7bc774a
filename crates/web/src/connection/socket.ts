import { readFrame } from '../protocol/frames.ts';
import type { ClientFrame, ServerFrame } from '../protocol/generated.ts';

/**
 * The reason why a socket has ended. A session ends when its user signs out. The rights of a user
 * change when a suspension begins or ends.
 */
export type SocketEnd = 'lost' | 'session_ended' | 'rights_changed';

/** The callbacks for the owner of a socket. None is called after `close`. */
export interface SocketEvents {
  onOpen(socket: Socket): void;
  onFrame(socket: Socket, frame: ServerFrame): void;
  /** Called if the socket was closed by the server, was lost, or did not answer in time. */
  onEnd(socket: Socket, reason: SocketEnd): void;
}

/** The interval between two pings, in milliseconds. A lost frame is noticed within this time. */
const PING_MS = 15_000;
/** The time after which an unanswered socket is dead, in milliseconds. */
const ANSWER_TIMEOUT_MS = 8_000;
/** The close codes with a meaning for the client (docs/PROTOCOL.md). */
const CLOSE_CODES: Readonly<Record<number, SocketEnd>> = { 4001: 'session_ended', 4002: 'rights_changed' };

/** One WebSocket. It ends if the server does not answer in time. */
export class Socket {
  readonly #webSocket: WebSocket;
  readonly #events: SocketEvents;
  #isClosed = false;
  #pingTimer: ReturnType<typeof setTimeout> | undefined;
  #answerTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(webSocket: WebSocket, events: SocketEvents) {
    this.#webSocket = webSocket;
    this.#events = events;
    this.#expectAnswer(ANSWER_TIMEOUT_MS);
    webSocket.addEventListener('open', () => this.#onOpen());
    webSocket.addEventListener('message', (message) => this.#onMessage(message.data));
    webSocket.addEventListener('close', ({ code }) => this.#end(CLOSE_CODES[code] ?? 'lost'));
  }

  /** Returns whether frames can be sent. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#webSocket.readyState === WebSocket.OPEN;
  }

  /** Sends a frame. Drops it if the socket is not open. */
  send(frame: ClientFrame): void {
    if (this.isOpen) this.#webSocket.send(JSON.stringify(frame));
  }

  /** Sends a ping at once. The next one follows after the usual interval. */
  ping(): void {
    clearTimeout(this.#pingTimer);
    this.#pingTimer = setTimeout(() => this.ping(), PING_MS);
    this.send({ t: 'ping' });
    if (this.#answerTimer === undefined) this.#expectAnswer(ANSWER_TIMEOUT_MS);
  }

  /** Sends a ping at once that must be answered within the given time. */
  pingWithTimeout(timeout_ms: number): void {
    this.#expectAnswer(timeout_ms);
    this.ping();
  }

  /** Drops the socket at once. A dead connection may take minutes to report that it is closed. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pingTimer);
    clearTimeout(this.#answerTimer);
    this.#webSocket.close();
  }

  #onOpen(): void {
    if (this.#isClosed) return;
    this.#pingTimer = setTimeout(() => this.ping(), PING_MS);
    this.#events.onOpen(this);
  }

  #onMessage(data: unknown): void {
    if (this.#isClosed || typeof data !== 'string') return;
    clearTimeout(this.#answerTimer);
    this.#answerTimer = undefined;
    const frame = readFrame(data);
    if (frame === null) console.warn('dropped a frame this client does not know', data.slice(0, 200));
    else this.#events.onFrame(this, frame);
  }

  /** Waits for any frame, and ends the socket if none arrives in time. */
  #expectAnswer(timeout_ms: number): void {
    clearTimeout(this.#answerTimer);
    this.#answerTimer = setTimeout(() => this.#end('lost'), timeout_ms);
  }

  #end(reason: SocketEnd): void {
    if (this.#isClosed) return;
    this.close();
    this.#events.onEnd(this, reason);
  }
}
