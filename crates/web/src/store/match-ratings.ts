import { signal } from '@preact/signals';
import type { MatchId, SeatRating } from '../protocol/generated.ts';
import type { Api } from './api.ts';

/** The time between two requests for ratings that have not changed yet, in milliseconds. */
export const RATINGS_POLL_MS = 1_000;

/**
 * The number of requests for the ratings after a match. The server changes them about a second
 * after the end, or never if the match does not count.
 */
export const RATINGS_ATTEMPTS = 6;

/** The ratings of the players of a match. A failed request leaves them unknown. */
export class MatchRatings {
  /** The known ratings by seat, in turn order. */
  readonly seats = signal<readonly SeatRating[]>([]);
  readonly #api: Pick<Api, 'matchRatings'>;
  readonly #match: MatchId;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDisposed = false;

  constructor(api: Pick<Api, 'matchRatings'>, match: MatchId) {
    this.#api = api;
    this.#match = match;
  }

  /** Loads the ratings once. */
  async load(): Promise<void> {
    try {
      const { seats } = await this.#api.matchRatings(this.#match);
      if (!this.#isDisposed) this.seats.value = seats;
    } catch {
      // The page is also useful without ratings.
    }
  }

  /** Loads the ratings until the match has changed them. */
  async loadChanges(attempts = RATINGS_ATTEMPTS): Promise<void> {
    await this.load();
    const seats = this.seats.value;
    const isChanged = seats.length > 0 && seats.every(({ after }) => after !== undefined);
    if (isChanged || this.#isDisposed || attempts <= 1) return;
    this.#timer = setTimeout(() => void this.loadChanges(attempts - 1), RATINGS_POLL_MS);
  }

  /** Stops the requests, when the page closes. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }
}
