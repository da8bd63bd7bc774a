import { signal } from '@preact/signals';
import type { UserId } from '../protocol/generated.ts';
import type { Persistence } from './persistence.ts';

const STORAGE_KEY = 'quadrex.muted';
/** The number of muted users that are stored. The oldest are dropped first. */
const MAX_MUTED = 200;

/** The users whose messages are hidden in this browser. Other users are not informed. */
export class Mutes {
  readonly muted = signal<ReadonlySet<UserId>>(new Set());
  readonly #persistence: Persistence;

  constructor(persistence: Persistence) {
    this.#persistence = persistence;
    this.muted.value = new Set(readMuted(persistence));
  }

  /** Mutes a user, or unmutes a muted one. */
  toggle(user: UserId): void {
    const ids = new Set(this.muted.value);
    if (!ids.delete(user)) ids.add(user);
    this.muted.value = new Set([...ids].slice(-MAX_MUTED));
    this.#persistence.set(STORAGE_KEY, JSON.stringify([...this.muted.value]));
  }
}

/** Returns the stored users, or none if the stored data is malformed. */
function readMuted(persistence: Persistence): UserId[] {
  try {
    const value: unknown = JSON.parse(persistence.get(STORAGE_KEY) ?? '[]');
    return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
