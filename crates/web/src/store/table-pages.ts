import { batch, signal } from '@preact/signals';
import type { TableId, TableSummary } from '../protocol/generated.ts';
import type { Api } from './api.ts';
import type { Standing } from './match-pages.ts';

/** All public tables, newest first, asked for page by page. */
export class TablePages {
  readonly tables = signal<readonly TableSummary[]>([]);
  /** `null` until they are asked for. */
  readonly standing = signal<Standing | null>(null);
  /** Set if there are more. */
  readonly more = signal(true);
  readonly #api: Pick<Api, 'tables'>;
  #next: TableId | undefined;

  constructor(api: Pick<Api, 'tables'>) {
    this.#api = api;
  }

  /** Asks for the next page: the first, or what comes after those that are there. After a failure it asks again. */
  async load(): Promise<void> {
    this.standing.value = 'loading';
    try {
      const { tables, next } = await this.#api.tables(this.#next);
      batch(() => {
        this.tables.value = [...this.tables.value, ...tables];
        this.more.value = next !== undefined;
        this.standing.value = 'there';
      });
      this.#next = next;
    } catch {
      this.standing.value = 'failed';
    }
  }
}
