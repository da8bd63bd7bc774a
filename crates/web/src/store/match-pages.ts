import { batch, signal } from '@preact/signals';
import type { MatchSummary } from '../protocol/generated.ts';
import type { Api, MatchFilter } from './api.ts';

/** The number of matches per request. */
const AT_ONCE = 24;

/** The state of a list: loading, loaded, or failed. */
export type Standing = 'loading' | 'there' | 'failed';

/** The matches that fit a filter, newest first, asked for page by page. */
export class MatchPages {
  readonly matches = signal<readonly MatchSummary[]>([]);
  readonly standing = signal<Standing>('loading');
  /** Set if there are more. */
  readonly more = signal(false);
  readonly #api: Pick<Api, 'matches'>;
  readonly #filter: MatchFilter;
  #next: string | undefined;

  constructor(api: Pick<Api, 'matches'>, filter: MatchFilter) {
    this.#api = api;
    this.#filter = filter;
  }

  /** Asks for the next page: the first, or what comes after those that are there. After a failure it asks again. */
  async load(): Promise<void> {
    this.standing.value = 'loading';
    const before = this.#next === undefined ? {} : { before: this.#next };
    try {
      const { matches, next } = await this.#api.matches({ ...this.#filter, ...before, limit: AT_ONCE });
      const known = new Set(this.matches.value.map((summary) => summary.match));
      batch(() => {
        this.matches.value = [...this.matches.value, ...matches.filter((summary) => !known.has(summary.match))];
        this.more.value = next !== undefined;
        this.standing.value = 'there';
      });
      this.#next = next;
    } catch {
      this.standing.value = 'failed';
    }
  }
}
