import type { TableId } from '../protocol/generated.ts';
import type { Client } from './client.ts';
import { TableStore } from './table-store.ts';

/** Several tables followed over the one line, as long as somebody looks at them. What was seen last is kept meanwhile. */
export class LiveTables {
  readonly #client: Client;
  readonly #stores = new Map<TableId, TableStore>();
  readonly #wanted = new Set<TableId>();
  readonly #followed = new Map<TableId, () => void>();
  #awake = true;

  constructor(client: Client) {
    this.#client = client;
  }

  /** A table as it was last seen. */
  of(table: TableId): TableStore {
    const known = this.#stores.get(table);
    if (known !== undefined) return known;
    const store = new TableStore(this.#client, table, { invite: undefined, watch: undefined }, 'preview');
    this.#stores.set(table, store);
    return store;
  }

  /** Somebody looks at a table from now on, until the returned function is called. */
  look(table: TableId): () => void {
    this.#wanted.add(table);
    this.#settle();
    return () => {
      this.#wanted.delete(table);
      this.#settle();
    };
  }

  /** Follows nothing while nobody can see it. */
  setAwake(awake: boolean): void {
    this.#awake = awake;
    this.#settle();
  }

  #settle(): void {
    const due = this.#awake ? this.#wanted : new Set<TableId>();
    for (const [table, leave] of this.#followed) {
      if (due.has(table)) continue;
      this.#followed.delete(table);
      leave();
    }
    for (const table of due) {
      if (!this.#followed.has(table)) this.#followed.set(table, this.of(table).follow());
    }
  }
}
