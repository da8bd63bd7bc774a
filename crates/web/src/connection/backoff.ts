/** The wait before the first new attempt, milliseconds, before jitter. */
const FIRST_MS = 400;
/** No wait is longer than this, milliseconds, before jitter. */
const LONGEST_MS = 15_000;

/**
 * The wait before connecting again: doubling, with jitter between half and the whole of the wait, so that
 * the clients of a server that went down do not all come back in the same instant.
 */
export class Backoff {
  readonly #random: () => number;
  #attempt = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The next wait in milliseconds. A server that said when to come again is believed. */
  next(asked_ms?: number): number {
    const wait = asked_ms ?? Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#attempt);
    this.#attempt += 1;
    const jitter = this.#random() * wait * 0.5;
    return asked_ms === undefined ? wait - jitter : wait + jitter;
  }

  /** The line stood: the next loss starts from the shortest wait again. */
  reset(): void {
    this.#attempt = 0;
  }
}
