import type { TableId } from '../protocol/generated.ts';
import type { Client } from './client.ts';
import { TableStore } from './table-store.ts';

/**
 * Several tables that are followed over one connection. A table is followed while it is on screen;
 * at other times its last state remains available.
 */
export class LiveTables {
  readonly #client: Client;
  readonly #stores = new Map<TableId, TableStore>();
  readonly #shown = new Set<TableId>();
  readonly #followed = new Map<TableId, () => void>();
  #isPageVisible = true;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Returns the store of a table with its last known state. */
  storeOf(table: TableId): TableStore {
    const existing = this.#stores.get(table);
    if (existing !== undefined) return existing;
    const store = new TableStore(this.#client, table, { invite: undefined, watch: undefined }, 'preview');
    this.#stores.set(table, store);
    return store;
  }

  /** Follows a table from now on, until the returned function is called. */
  show(table: TableId): () => void {
    this.#shown.add(table);
    this.#update();
    return () => {
      this.#shown.delete(table);
      this.#update();
    };
  }

  /** Sets whether the page is visible. While it is not, no table is followed. */
  setPageVisible(isVisible: boolean): void {
    this.#isPageVisible = isVisible;
    this.#update();
  }

  #update(): void {
    const due = this.#isPageVisible ? this.#shown : new Set<TableId>();
    for (const [table, leave] of this.#followed) {
      if (due.has(table)) continue;
      this.#followed.delete(table);
      leave();
    }
    for (const table of due) {
      if (!this.#followed.has(table)) this.#followed.set(table, this.storeOf(table).follow());
    }
  }
}
