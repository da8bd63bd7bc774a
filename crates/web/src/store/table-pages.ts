import { batch, signal } from '@preact/signals';
import type { TableId, TableSummary } from '../protocol/generated.ts';
import type { Api } from './api.ts';
import type { LoadState } from './match-pages.ts';

/** All public tables, newest first, loaded page by page. */
export class TablePages {
  readonly tables = signal<readonly TableSummary[]>([]);
  /** `null` until the first page is requested. */
  readonly loadState = signal<LoadState | null>(null);
  /** Set if the server has more pages. */
  readonly hasMore = signal(true);
  readonly #api: Pick<Api, 'tables'>;
  #next: TableId | undefined;

  constructor(api: Pick<Api, 'tables'>) {
    this.#api = api;
  }

  /** Loads the first or the next page. After a failure it loads the same page again. */
  async load(): Promise<void> {
    this.loadState.value = 'loading';
    try {
      const { tables, next } = await this.#api.tables(this.#next);
      batch(() => {
        this.tables.value = [...this.tables.value, ...tables];
        this.hasMore.value = next !== undefined;
        this.loadState.value = 'loaded';
      });
      this.#next = next;
    } catch {
      this.loadState.value = 'failed';
    }
  }
}
