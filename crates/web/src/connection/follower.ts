import type { TableFrame } from '../protocol/frames.ts';
import type { ClientFrame, Head, RefusalCode, TableId } from '../protocol/generated.ts';

/** The result of delivering a frame. `gap` means that earlier events are missing. */
export type Delivery = 'accepted' | 'gap';

/** A receiver of a table's frames, which folds them into the table's state. */
export interface Follower {
  /** The secret that gives access to a private table. */
  readonly accessSecret: string | undefined;
  /** Set for a preview. The server does not count it as a spectator. */
  readonly isPreview: boolean;
  /** Returns the last event that the state includes, or `null` before the first snapshot. */
  head(): Head | null;
  /** Applies a frame to the state. */
  deliver(frame: TableFrame): Delivery;
  /** Called if the server refuses to show the table. */
  onRefused(code: RefusalCode, message: string): void;
}

/** The time for missing events to arrive before a new snapshot is requested, in milliseconds. */
const CATCH_UP_TIMEOUT_MS = 5_000;
/** The wait before a request that was refused for a passing reason is sent again, in milliseconds. */
export const REFUSAL_WAIT_MS = 1_500;

/** Returns whether a refused subscription may be accepted soon. */
export function isTransient(code: RefusalCode): boolean {
  return code === 'rate_limited' || code === 'closing' || code === 'internal';
}

/** A subscription to one table. It notices gaps and requests the missing events. */
export class Subscription {
  readonly #table: TableId;
  readonly #follower: Follower;
  readonly #send: (frame: ClientFrame) => void;
  /** Runs from a request for missing events until the next frame that fits the state. */
  #catchUpTimer: ReturnType<typeof setTimeout> | undefined;
  /** Runs from a refusal until the next attempt. */
  #refusalTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(table: TableId, follower: Follower, send: (frame: ClientFrame) => void) {
    this.#table = table;
    this.#follower = follower;
    this.#send = send;
  }

  /** Requests the events after the last received one, or a snapshot. */
  watch(): void {
    const head = this.#follower.head();
    if (head === null) return this.#requestSnapshot();
    this.#send({ t: 'watch', table: this.#table, match: head.match, after: head.seq, ...this.#watchOptions() });
  }

  /**
   * Delivers a frame to the follower, and requests the missing events if the frame does not fit.
   */
  deliver(frame: TableFrame): void {
    if (this.#follower.deliver(frame) === 'gap') this.#catchUp();
    else this.#clearCatchUpTimer();
  }

  /**
   * Compares the server's last event of the table with the last received one, and requests missing
   * events.
   */
  compareHead(serverHead: Head | undefined): void {
    const ownHead = this.#follower.head();
    const isBehind = serverHead === undefined || ownHead === null || serverHead.match !== ownHead.match || serverHead.seq > ownHead.seq;
    if (isBehind) this.#catchUp();
  }

  /**
   * Handles the refusal of a `watch` frame. It is sent again soon if the reason may pass. A follower
   * without a state shows a fault of the server.
   */
  onRefused(code: RefusalCode, message: string): void {
    const isShown = code === 'internal' && this.#follower.head() === null;
    if (!isTransient(code) || isShown) return this.#follower.onRefused(code, message);
    clearTimeout(this.#refusalTimer);
    this.#refusalTimer = setTimeout(() => this.watch(), REFUSAL_WAIT_MS);
  }

  /**
   * Stops waiting for missing events or before another attempt, after the connection is lost or the
   * follower has left.
   */
  stopWaiting(): void {
    this.#clearCatchUpTimer();
    clearTimeout(this.#refusalTimer);
  }

  #catchUp(): void {
    if (this.#catchUpTimer !== undefined) return;
    this.watch();
    this.#catchUpTimer = setTimeout(() => {
      this.#catchUpTimer = undefined;
      this.#requestSnapshot();
    }, CATCH_UP_TIMEOUT_MS);
  }

  #requestSnapshot(): void {
    this.#send({ t: 'watch', table: this.#table, ...this.#watchOptions() });
  }

  #watchOptions(): { secret?: string; preview?: boolean } {
    const { accessSecret, isPreview } = this.#follower;
    return { ...(accessSecret === undefined ? {} : { secret: accessSecret }), ...(isPreview ? { preview: true } : {}) };
  }

  #clearCatchUpTimer(): void {
    clearTimeout(this.#catchUpTimer);
    this.#catchUpTimer = undefined;
  }
}
