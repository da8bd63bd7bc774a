import { batch, signal } from '@preact/signals';
import type { MatchSummary } from '../protocol/generated.ts';
import type { Api, MatchFilter } from './api.ts';

/** The number of matches per request. */
const PAGE_SIZE = 24;

/** The load state of a list. */
export type LoadState = 'loading' | 'loaded' | 'failed';

/** The matches that pass a filter, newest first, loaded page by page. */
export class MatchPages {
  readonly matches = signal<readonly MatchSummary[]>([]);
  readonly loadState = signal<LoadState>('loading');
  /** Set if the server has more pages. */
  readonly hasMore = signal(false);
  readonly #api: Pick<Api, 'matches'>;
  readonly #filter: MatchFilter;
  #next: string | undefined;

  constructor(api: Pick<Api, 'matches'>, filter: MatchFilter) {
    this.#api = api;
    this.#filter = filter;
  }

  /** Loads the first or the next page. After a failure it loads the same page again. */
  async load(): Promise<void> {
    this.loadState.value = 'loading';
    const before = this.#next === undefined ? {} : { before: this.#next };
    try {
      const { matches, next } = await this.#api.matches({ ...this.#filter, ...before, limit: PAGE_SIZE });
      const loadedMatches = new Set(this.matches.value.map((summary) => summary.match));
      batch(() => {
        this.matches.value = [...this.matches.value, ...matches.filter((summary) => !loadedMatches.has(summary.match))];
        this.hasMore.value = next !== undefined;
        this.loadState.value = 'loaded';
      });
      this.#next = next;
    } catch {
      this.loadState.value = 'failed';
    }
  }
}
