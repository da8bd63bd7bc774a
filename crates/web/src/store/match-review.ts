import { signal } from '@preact/signals';
import type { MatchId, Review, ReviewStatus, Swing } from '../protocol/generated.ts';
import type { Api } from './api.ts';

/** The time between two requests for a review that is not finished yet, in milliseconds. */
export const POLL_MS = 1_500;

/** The review of a match. It is requested again and again until it is finished. */
export class MatchReview {
  /** The last known state; `null` before the first answer. */
  readonly status = signal<ReviewStatus | null>(null);
  /** The reason why the last request failed. */
  readonly error = signal<Error | null>(null);
  readonly #api: Pick<Api, 'review' | 'requestReview'>;
  readonly #match: MatchId;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDisposed = false;

  constructor(api: Pick<Api, 'review' | 'requestReview'>, match: MatchId) {
    this.#api = api;
    this.#match = match;
  }

  /** Loads the state of the review. If the first request fails, no review is displayed. */
  async load(): Promise<void> {
    try {
      this.#setStatus(await this.#api.review(this.#match));
    } catch {
      // If the review is being made, a later request may succeed.
      if (this.status.value !== null) this.#pollLater();
    }
  }

  /** Requests that the review be made. */
  async request(): Promise<void> {
    this.error.value = null;
    try {
      this.#setStatus(await this.#api.requestReview(this.#match));
    } catch (error) {
      this.error.value = error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Stops the requests, when the page closes. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  #setStatus(status: ReviewStatus): void {
    this.status.value = status;
    if (status.state === 'waiting' || status.state === 'running') this.#pollLater();
  }

  #pollLater(): void {
    clearTimeout(this.#timer);
    if (!this.#isDisposed) this.#timer = setTimeout(() => void this.load(), POLL_MS);
  }
}

/** Returns the swing of the move that led to a ply, or `null` if that move was no swing. */
export function swingAt(status: ReviewStatus | null, ply: number): Swing | null {
  return status?.state === 'done' ? (status.review.swings.find((swing) => swing.ply === ply) ?? null) : null;
}

/**
 * A boundary between two bands of the graph, as its distance from the top at each ply, in
 * thousandths.
 */
type Boundary = readonly number[];

/** Returns the boundaries of the bands of the players in this order, from the top of the graph to its bottom. */
export function bandBoundaries({ chances }: Review, colors: readonly (keyof Review['chances'][number])[]): readonly Boundary[] {
  const boundaries: Boundary[] = [chances.map(() => 0)];
  for (const color of colors) {
    const above = boundaries.at(-1) ?? [];
    boundaries.push(chances.map((chancesAtPly, ply) => (above[ply] ?? 0) + (chancesAtPly[color] ?? 0)));
  }
  return boundaries;
}
