import { SUBPROTOCOL, type FrameOf } from '../protocol/frames.ts';
import type { ClientFrame, ServerFrame } from '../protocol/generated.ts';
import { Backoff } from './backoff.ts';
import { Overlap, type Topic } from './overlap.ts';
import { Socket, type SocketEnd } from './socket.ts';

/**
 * The state of the connection: not connected yet, connected, lost and reconnecting, or closed
 * because the session has ended.
 */
export type ConnectionState = 'connecting' | 'online' | 'reconnecting' | 'signed_out';

/** The callbacks for the owner of a transport. */
export interface TransportEvents {
  onState(state: ConnectionState): void;
  /** Called when the server reports that the session has ended. */
  onSessionEnd(): void;
  /** Called when the server has closed a socket because the rights of its user have changed. */
  onRightsChange(): void;
  onFrame(frame: ServerFrame): void;
  /** Sends all subscriptions but those that need a user, and the unanswered commands. */
  subscribe(): void;
  /** Does the same on a socket that was welcomed before, with all subscriptions. */
  resubscribe(): void;
  /** Called after a loss: nothing arrives before the next call of `subscribe`. */
  onLoss(): void;
  /** Returns the subjects of all subscriptions. */
  topics(): readonly Topic[];
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
 * The transport of frames to the server and back. It opens a socket again after a loss. If the
 * server announces that it will close the socket, another one replaces it before, without a loss.
 */
export class Transport {
  readonly #events: TransportEvents;
  readonly #environment: ConnectionEnvironment;
  readonly #backoff: Backoff;
  /** The socket to which frames are sent. */
  #socket: Socket | undefined;
  /** The socket that will replace the current one as soon as it is welcomed. */
  #successor: Socket | undefined;
  #successorTimer: ReturnType<typeof setTimeout> | undefined;
  /** Set while the replaced socket is open too. */
  #overlap: Overlap | undefined;
  #wasOnline = false;
  /** Set from the end of the session until `reopen` is called, for example with a new session. */
  #isSignedOut = false;
  #retryAfter_ms: number | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(events: TransportEvents, environment: ConnectionEnvironment) {
    this.#events = events;
    this.#environment = environment;
    this.#backoff = new Backoff(environment.random);
  }

  /** Opens a socket unless one is open or opening. */
  connect(): void {
    if (this.#socket !== undefined || this.#isSignedOut) return;
    clearTimeout(this.#retryTimer);
    this.#events.onState(this.#wasOnline ? 'reconnecting' : 'connecting');
    this.#socket = this.#openSocket();
    if (this.#socket === undefined) this.#scheduleRetry();
  }

  /** Closes all sockets after the session has ended. Only `reopen` opens another one. */
  signOut(): void {
    this.#isSignedOut = true;
    this.#discardSockets();
    clearTimeout(this.#retryTimer);
    this.#events.onState('signed_out');
  }

  /** Closes all sockets and opens a new one. */
  reopen(): void {
    this.#isSignedOut = false;
    this.#discardSockets();
    this.connect();
  }

  /**
   * Reconnects after the network has returned. An old socket would wait for answers to packets that
   * were lost.
   */
  networkReturned(): void {
    if (this.#isSignedOut) return;
    if (this.#socket?.isOpen !== true) return this.reopen();
    this.#socket.pingWithTimeout(RETURN_TIMEOUT_MS);
    if (this.#successor === undefined) return;
    this.#discardSuccessor();
    this.#openSuccessor();
  }

  /** Sends a ping at once, or opens a socket if there is none. */
  checkNow(): void {
    if (this.#socket === undefined) this.connect();
    else if (this.#socket.isOpen) this.#socket.ping();
  }

  /**
   * Sends a frame if the connection is open. Otherwise the frame is dropped: `subscribe` sends
   * everything that is still needed.
   */
  send(frame: ClientFrame): void {
    this.#socket?.send(frame);
  }

  /** Opens a socket. Returns `undefined` if the browser or one of its extensions refuses. */
  #openSocket(): Socket | undefined {
    try {
      return new Socket(this.#environment.openSocket(), {
        onOpen: (socket) => this.#onOpen(socket),
        onFrame: (socket, frame) => this.#onFrame(socket, frame),
        onEnd: (socket, reason) => this.#onEnd(socket, reason),
      });
    } catch (error) {
      console.warn('the connection could not be opened', error);
      return undefined;
    }
  }

  #onOpen(socket: Socket): void {
    socket.send({ t: 'hello' });
    if (socket === this.#socket) this.#events.subscribe();
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
    this.#events.subscribe();
    this.#endOverlap();
  }

  #handleFrame(frame: ServerFrame): void {
    if (frame.t === 'welcome') this.#onWelcome();
    else if (frame.t === 'closing') this.#prepareForClose(frame);
    this.#events.onFrame(frame);
  }

  #onWelcome(): void {
    this.#wasOnline = true;
    this.#backoff.reset();
    this.#events.onState('online');
  }

  #prepareForClose({ retry_after_ms, open_for_ms = 0 }: FrameOf<'closing'>): void {
    if (open_for_ms > 0) this.#scheduleSuccessor(retry_after_ms);
    else this.#retryAfter_ms = retry_after_ms;
  }

  /** Closes the replaced socket when it is not needed any more. */
  #endOverlap(): void {
    if (this.#overlap?.isOver(this.#events.topics()) !== true) return;
    this.#overlap.replaced.close();
    this.#overlap = undefined;
  }

  #onEnd(socket: Socket, reason: SocketEnd): void {
    if (reason === 'rights_changed') this.#events.onRightsChange();
    if (reason === 'session_ended') {
      this.signOut();
      this.#events.onSessionEnd();
    } else if (socket === this.#successor) {
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
    this.#events.resubscribe();
    this.#scheduleSuccessor(this.#backoff.next());
  }

  /** Waits for the successor after the current socket was lost too early. */
  #waitFor(successor: Socket): void {
    this.#socket = successor;
    this.#successor = undefined;
    this.#events.onState('reconnecting');
    // If the socket is not open yet, this sends nothing, and is repeated when it opens.
    this.#events.subscribe();
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
    this.#events.onLoss();
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
