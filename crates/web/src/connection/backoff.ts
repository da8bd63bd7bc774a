/** The wait before the first new attempt, in milliseconds, before jitter. */
const FIRST_WAIT_MS = 400;
/**
 * The longest wait, in milliseconds, before jitter. It limits how long a client stays offline after
 * the network has returned.
 */
const MAX_WAIT_MS = 3_000;

/**
 * The waits between attempts to reconnect. They double, with a jitter of up to half of the wait, so
 * that the clients of a restarted server do not all return at the same moment.
 */
export class Backoff {
  readonly #random: () => number;
  #attempt = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Returns the next wait in milliseconds. A wait that the server has requested replaces the
   * computed one.
   */
  next(requested_ms?: number): number {
    const wait = requested_ms ?? Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#attempt);
    this.#attempt += 1;
    const jitter = this.#random() * wait * 0.5;
    return requested_ms === undefined ? wait - jitter : wait + jitter;
  }

  /** Starts again from the shortest wait, after a connection has succeeded. */
  reset(): void {
    this.#attempt = 0;
  }
}
