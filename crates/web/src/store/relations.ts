import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { FollowedUser, RelatedUser, UserId, UserView } from '../protocol/generated.ts';
import type { Api } from './api.ts';
import type { Persistence } from './persistence.ts';

/** The lists of other users that a user has on the server, by their paths. */
export type RelationKind = 'mutes' | 'blocks' | 'follows';

/** The key of the users that were muted in this browser before the server stored them. */
const OLD_KEY = 'quadrex.muted';

/** The users whom the user has muted and blocked, and those whom the user follows. */
export class Relations {
  readonly mutes: Signal<readonly RelatedUser[]> = signal([]);
  readonly blocks: Signal<readonly RelatedUser[]> = signal([]);
  readonly follows: Signal<readonly FollowedUser[]> = signal([]);
  /** The users whose messages are hidden. */
  readonly hidden: ReadonlySignal<ReadonlySet<UserId>> = computed(() => new Set([...this.mutes.value, ...this.blocks.value].map(({ user }) => user.id)));
  readonly #api: Pick<Api, 'relations' | 'follows' | 'setRelation'>;
  readonly #persistence: Persistence;
  #user: UserId | null = null;
  #loading: Promise<void> | undefined;
  /** The last request for the followed users that has not failed. */
  #loadingFollows: Promise<void> | undefined;

  constructor(api: Pick<Api, 'relations' | 'follows' | 'setRelation'>, persistence: Persistence) {
    this.#api = api;
    this.#persistence = persistence;
  }

  /** Empties the lists if the user is another one than before. */
  follow(user: UserView | null): void {
    if ((user?.id ?? null) === this.#user) return;
    this.#user = user?.id ?? null;
    this.#loading = undefined;
    this.#loadingFollows = undefined;
    this.#replace([], []);
    this.follows.value = [];
  }

  /** Loads the muted and the blocked users once. After a failure the next call tries again. */
  load(): Promise<void> {
    if (this.#user === null) return Promise.resolve();
    const loading = (this.#loading ??= this.#load(this.#user).catch((error: unknown) => {
      if (this.#loading === loading) this.#loading = undefined;
      throw error;
    }));
    return loading;
  }

  /** Loads the followed users, with what they do now. */
  loadFollows(): Promise<void> {
    const user = this.#user;
    if (user === null) return Promise.resolve();
    const loading = this.#requestFollows(user).catch((error: unknown) => {
      if (this.#loadingFollows === loading) this.#loadingFollows = undefined;
      throw error;
    });
    this.#loadingFollows = loading;
    return loading;
  }

  /** Loads the followed users unless they were loaded before. */
  loadFollowsOnce(): Promise<void> {
    return this.#loadingFollows ?? this.loadFollows();
  }

  /** Adds a user to a list or removes the user from it. The lists change at once. */
  async set(kind: RelationKind, user: UserView, isOn: boolean): Promise<void> {
    const list: Signal<readonly RelatedUser[]> = this[kind];
    const before = list.value;
    const others = before.filter((one) => one.user.id !== user.id);
    list.value = isOn ? [{ user, since_ms: Date.now() }, ...others] : others;
    try {
      await this.#api.setRelation(kind, user.id, isOn);
    } catch (error) {
      list.value = before;
      throw error;
    }
  }

  /** Returns whether a user is in a list. */
  has(kind: RelationKind, user: UserId): boolean {
    return this[kind].value.some((one) => one.user.id === user);
  }

  async #requestFollows(user: UserId): Promise<void> {
    const { users } = await this.#api.follows();
    if (user === this.#user) this.follows.value = users;
  }

  async #load(user: UserId): Promise<void> {
    await this.#moveOldMutes();
    const [mutes, blocks] = await Promise.all([this.#api.relations('mutes'), this.#api.relations('blocks')]);
    if (user === this.#user) this.#replace(mutes.users, blocks.users);
  }

  /** Sends the users that were muted in this browser to the server, once. */
  async #moveOldMutes(): Promise<void> {
    const ids = readIds(this.#persistence.get(OLD_KEY));
    if (ids.length === 0) return;
    this.#persistence.set(OLD_KEY, '[]');
    // A user who no longer exists need not be muted.
    await Promise.allSettled(ids.map((id) => this.#api.setRelation('mutes', id, true)));
  }

  #replace(mutes: readonly RelatedUser[], blocks: readonly RelatedUser[]): void {
    batch(() => {
      this.mutes.value = mutes;
      this.blocks.value = blocks;
    });
  }
}

/** Returns the stored users, or none if the stored data is malformed. */
function readIds(stored: string | null): UserId[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
