import { signal } from '@preact/signals';
import { Refusal } from '../connection/outbox.ts';
import type { Analysis } from '../protocol/generated.ts';

/**
 * The time that a position must be displayed before the engine is asked about it, in milliseconds.
 * So no requests are sent while the user steps through a game quickly.
 */
const REQUEST_DELAY_MS = 300;
/** The wait before a busy engine is asked again, in milliseconds. */
const RETRY_MS = 1_500;
const MAX_TRIES = 6;
/**
 * The number of analyses in the cache, from which the analysis of an earlier position is displayed
 * at once.
 */
const CACHE_SIZE = 400;

/** A request to the engine, or the reason why there is none. */
export type EnginePosition =
  /** The game is over, so there is nothing to analyse. */
  | { readonly kind: 'over' }
  /** The server has not explored the position yet. */
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'known';
      /** The cache key of the position. */
      readonly key: string;
      readonly request: (until: AbortSignal) => Promise<Analysis>;
    };

/** The state of the engine's analysis of the current position. */
export type EngineStatus =
  /** The engine is switched off. */
  | { readonly kind: 'off' }
  | { readonly kind: 'over' }
  /** A request is under way. `previous` is the analysis of the position displayed before. */
  | { readonly kind: 'searching'; readonly previous: Analysis | null }
  | { readonly kind: 'done'; readonly analysis: Analysis }
  | { readonly kind: 'refused'; readonly error: Error };

/**
 * The analyses of displayed positions by the server's engine. A request is canceled once its
 * position is no longer displayed.
 */
export class Engine {
  readonly status = signal<EngineStatus>({ kind: 'off' });
  readonly #cache = new Map<string, Analysis>();
  #lastAnalysis: Analysis | null = null;
  #key: string | null = null;
  #pendingRequest: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Analyses a position after it has been displayed for a moment. */
  analyse(position: EnginePosition): void {
    if (position.kind === 'known' && position.key === this.#key) return;
    this.#cancel();
    if (position.kind === 'over') this.status.value = { kind: 'over' };
    else if (position.kind === 'unknown') this.#showSearching({ kind: 'searching', previous: this.#lastAnalysis });
    else this.#start(position, REQUEST_DELAY_MS);
  }

  /** Repeats a failed analysis. */
  retry(position: EnginePosition): void {
    this.#cancel();
    if (position.kind === 'known') this.#start(position, 0);
  }

  /** Switches the engine off. */
  stop(): void {
    this.#cancel();
    this.#lastAnalysis = null;
    this.status.value = { kind: 'off' };
  }

  #start(position: Extract<EnginePosition, { kind: 'known' }>, delay_ms: number): void {
    this.#key = position.key;
    const cached = this.#cache.get(position.key);
    if (cached !== undefined) {
      this.#showAnalysis(cached);
      return;
    }
    this.#showSearching({ kind: 'searching', previous: this.#lastAnalysis });
    this.#timer = setTimeout(() => void this.#request(position, 1), delay_ms);
  }

  async #request(position: Extract<EnginePosition, { kind: 'known' }>, tries: number): Promise<void> {
    const controller = new AbortController();
    this.#pendingRequest = controller;
    try {
      const analysis = await position.request(controller.signal);
      this.#addToCache(position.key, analysis);
      if (this.#pendingRequest === controller) this.#showAnalysis(analysis);
    } catch (error) {
      if (this.#pendingRequest !== controller) return;
      const isBusy = error instanceof Refusal && (error.code === 'busy' || error.code === 'rate_limited');
      if (isBusy && tries < MAX_TRIES) this.#timer = setTimeout(() => void this.#request(position, tries + 1), RETRY_MS);
      else this.status.value = { kind: 'refused', error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  #showAnalysis(analysis: Analysis): void {
    this.#lastAnalysis = analysis;
    this.status.value = { kind: 'done', analysis };
  }

  /** Sets the status to a request under way, unless the status is the same already. */
  #showSearching(searching: Extract<EngineStatus, { kind: 'searching' }>): void {
    const current = this.status.value;
    if (current.kind !== 'searching' || current.previous !== searching.previous) this.status.value = searching;
  }

  #addToCache(key: string, analysis: Analysis): void {
    this.#cache.set(key, analysis);
    const oldest = this.#cache.keys().next();
    if (this.#cache.size > CACHE_SIZE && oldest.done !== true) this.#cache.delete(oldest.value);
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#pendingRequest?.abort();
    this.#pendingRequest = undefined;
    this.#key = null;
  }
}

/** The number of lines per request: the best moves and their continuations. */
export const LINE_COUNT = 3;
