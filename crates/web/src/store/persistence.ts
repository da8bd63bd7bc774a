/**
 * Values that the browser keeps under names. Storage can be missing, forbidden or full, at any time and on any call
 * (HTML standard, Web storage); what it does not keep is remembered until the page is closed.
 */
export interface Persistence {
  /** The value of a name; `null` if there is none. */
  get(name: string): string | null;
  set(name: string, value: string): void;
  /** Returns whether all that was set outlasts the page. */
  lasts(): boolean;
}

/** Values for all tabs of this browser. */
export function browserPersistence(): Persistence {
  return persistenceOver(() => localStorage);
}

/** Values in a storage that is asked for anew on each access, since the browser may refuse the access itself. */
export function persistenceOver(storage: () => Storage | null): Persistence {
  return new StoragePersistence(storage);
}

/** A name under which a value is kept only to see whether that can be done. */
const PROBE = 'quadrex.probe';

class StoragePersistence implements Persistence {
  readonly #storage: () => Storage | null;
  /** The last value known of each name, for when the storage fails later. */
  readonly #known = new Map<string, string>();
  /** The names whose value here is newer than the one in the storage. */
  readonly #unsaved = new Set<string>();

  constructor(storage: () => Storage | null) {
    this.#storage = storage;
  }

  get(name: string): string | null {
    if (!this.#unsaved.has(name)) {
      const read = this.#attempt((storage) => storage.getItem(name));
      if (read.done) {
        if (read.value === null) this.#known.delete(name);
        else this.#known.set(name, read.value);
        return read.value;
      }
    }
    return this.#known.get(name) ?? null;
  }

  set(name: string, value: string): void {
    this.#known.set(name, value);
    const { done } = this.#attempt((storage) => storage.setItem(name, value));
    if (done) this.#unsaved.delete(name);
    else this.#unsaved.add(name);
  }

  lasts(): boolean {
    if (this.#unsaved.size > 0) return false;
    return this.#attempt((storage) => {
      storage.setItem(PROBE, '');
      storage.removeItem(PROBE);
    }).done;
  }

  #attempt<T>(access: (storage: Storage) => T): { readonly done: true; readonly value: T } | { readonly done: false } {
    try {
      const storage = this.#storage();
      return storage === null ? { done: false } : { done: true, value: access(storage) };
    } catch {
      return { done: false };
    }
  }
}

/** Values for this tab alone. */
export const tabPersistence: Persistence = persistenceOver(() => sessionStorage);
