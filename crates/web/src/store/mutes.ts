import { signal } from '@preact/signals';
import type { UserId } from '../protocol/generated.ts';

const PLACE = 'quadrex.muted';
/** So many are remembered; the oldest are forgotten first. */
const MOST = 200;

/** Whom the user of this browser does not want to read; nobody else knows. */
export class Mutes {
  readonly muted = signal<ReadonlySet<UserId>>(new Set());
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.muted.value = new Set(read(storage));
  }

  /** Mutes somebody, or listens to them again. */
  toggle(user: UserId): void {
    const ids = new Set(this.muted.value);
    if (!ids.delete(user)) ids.add(user);
    this.muted.value = new Set([...ids].slice(-MOST));
    this.#storage.setItem(PLACE, JSON.stringify([...this.muted.value]));
  }
}

/** What cannot be read is as if nobody had been muted. */
function read(storage: Storage): UserId[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(PLACE) ?? '[]');
    return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
