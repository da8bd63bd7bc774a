/**
 * Values that the browser stores by key. The browser's storage can be missing, forbidden or full at
 * any time (HTML standard, Web storage). A value that cannot be stored there stays in memory until
 * the page is closed.
 */
export interface Persistence {
  /** Returns the value of a key, or `null` if there is none. */
  get(name: string): string | null;
  set(name: string, value: string): void;
  /** Returns whether all values are still there when the page is loaded again. */
  isPermanent(): boolean;
}

/** Returns the storage that all tabs of this browser share. */
export function browserPersistence(): Persistence {
  return persistenceIn(() => localStorage);
}

/**
 * Returns the persistence in a storage. `storage` is called for each access, because even getting
 * the storage may fail.
 */
export function persistenceIn(storage: () => Storage | null): Persistence {
  return new StoragePersistence(storage);
}

/** The key of a value that is written only to test the storage. */
const PROBE_KEY = 'quadrex.probe';

class StoragePersistence implements Persistence {
  readonly #storage: () => Storage | null;
  /** The last known value of each key, for a storage that fails later. */
  readonly #lastValues = new Map<string, string>();
  /** The keys whose value in memory is newer than the stored value. */
  readonly #unsaved = new Set<string>();

  constructor(storage: () => Storage | null) {
    this.#storage = storage;
  }

  get(name: string): string | null {
    if (!this.#unsaved.has(name)) {
      const read = this.#tryStorage((storage) => storage.getItem(name));
      if (read.done) {
        if (read.value === null) this.#lastValues.delete(name);
        else this.#lastValues.set(name, read.value);
        return read.value;
      }
    }
    return this.#lastValues.get(name) ?? null;
  }

  set(name: string, value: string): void {
    this.#lastValues.set(name, value);
    const { done } = this.#tryStorage((storage) => storage.setItem(name, value));
    if (done) this.#unsaved.delete(name);
    else this.#unsaved.add(name);
  }

  isPermanent(): boolean {
    if (this.#unsaved.size > 0) return false;
    return this.#tryStorage((storage) => {
      storage.setItem(PROBE_KEY, '');
      storage.removeItem(PROBE_KEY);
    }).done;
  }

  #tryStorage<T>(access: (storage: Storage) => T): { readonly done: true; readonly value: T } | { readonly done: false } {
    try {
      const storage = this.#storage();
      return storage === null ? { done: false } : { done: true, value: access(storage) };
    } catch {
      return { done: false };
    }
  }
}

/** The storage of this tab. */
export const tabPersistence: Persistence = persistenceIn(() => sessionStorage);
