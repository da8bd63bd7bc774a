import type { TableFrame } from '../protocol/frames.ts';
import type { ClientFrame, Head, RefusalCode, TableId } from '../protocol/generated.ts';

/** The result of a frame: `gap` means that earlier events are missing. */
export type Delivery = 'taken' | 'gap';

/** Somebody who follows a table: holds its state and says how far it is. */
export interface Follower {
  /** The secret that opens a private table. */
  readonly accessSecret: string | undefined;
  /** Set for a preview, which does not count as a spectator. */
  readonly isPreview: boolean;
  /** The last event held, or `null` before the first snapshot. */
  position(): Head | null;
  /** Takes a frame in. */
  deliver(frame: TableFrame): Delivery;
  /** The table cannot be watched. */
  refused(code: RefusalCode, message: string): void;
}

/** The time for missing events before a whole snapshot is requested, in milliseconds. */
const PATIENCE_MS = 5_000;
/** The wait after a refusal by a rate limit, in milliseconds. */
export const SLOW_DOWN_MS = 1_500;

/** One followed table on the line: asks for it, sees gaps, asks again. */
export class Subscription {
  readonly #table: TableId;
  readonly #follower: Follower;
  readonly #send: (frame: ClientFrame) => void;
  /** Runs from asking for missing events until something could be taken in. */
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(table: TableId, follower: Follower, send: (frame: ClientFrame) => void) {
    this.#table = table;
    this.#follower = follower;
    this.#send = send;
  }

  /** Asks for everything after the last event held, or for the whole table. */
  watch(): void {
    const position = this.#follower.position();
    if (position === null) return this.#watchWhole();
    this.#send({ t: 'watch', table: this.#table, match: position.match, after: position.seq, ...this.#how() });
  }

  /** Takes a frame in and asks for what is missing before it, if anything is. */
  deliver(frame: TableFrame): void {
    if (this.#follower.deliver(frame) === 'gap') this.#catchUp();
    else this.#settle();
  }

  /** Compares with the server's word on how far the table is. */
  compare(head: Head | undefined): void {
    const position = this.#follower.position();
    const behind = head === undefined || position === null || head.match !== position.match || head.seq > position.seq;
    if (behind) this.#catchUp();
  }

  /** A `watch` was refused. */
  refused(code: RefusalCode, message: string): void {
    if (code === 'rate_limited') setTimeout(() => this.watch(), SLOW_DOWN_MS);
    else this.#follower.refused(code, message);
  }

  /** The line is lost or the follower left: nothing is awaited any more. */
  rest(): void {
    this.#settle();
  }

  #catchUp(): void {
    if (this.#patience !== undefined) return;
    this.watch();
    this.#patience = setTimeout(() => {
      this.#patience = undefined;
      this.#watchWhole();
    }, PATIENCE_MS);
  }

  #watchWhole(): void {
    this.#send({ t: 'watch', table: this.#table, ...this.#how() });
  }

  #how(): { secret?: string; preview?: boolean } {
    const { accessSecret, isPreview } = this.#follower;
    return { ...(accessSecret === undefined ? {} : { secret: accessSecret }), ...(isPreview ? { preview: true } : {}) };
  }

  #settle(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }
}
