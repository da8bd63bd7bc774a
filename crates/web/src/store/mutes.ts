import { signal } from '@preact/signals';
import type { UserId } from '../protocol/generated.ts';
import type { Persistence } from './persistence.ts';

const PLACE = 'quadrex.muted';
/** So many are remembered; the oldest are forgotten first. */
const MOST = 200;

/** Users whose messages the user of this browser hides; nobody else knows. */
export class Mutes {
  readonly muted = signal<ReadonlySet<UserId>>(new Set());
  readonly #persistence: Persistence;

  constructor(persistence: Persistence) {
    this.#persistence = persistence;
    this.muted.value = new Set(read(persistence));
  }

  /** Mutes somebody, or listens to them again. */
  toggle(user: UserId): void {
    const ids = new Set(this.muted.value);
    if (!ids.delete(user)) ids.add(user);
    this.muted.value = new Set([...ids].slice(-MOST));
    this.#persistence.set(PLACE, JSON.stringify([...this.muted.value]));
  }
}

/** Malformed data counts as if nobody had been muted. */
function read(persistence: Persistence): UserId[] {
  try {
    const value: unknown = JSON.parse(persistence.get(PLACE) ?? '[]');
    return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
