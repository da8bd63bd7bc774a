import { signal } from '@preact/signals';
import { Refusal } from '../connection/outbox.ts';
import type { MatchId, MatchView, UserId } from '../protocol/generated.ts';
import type { Api } from './api.ts';
import type { Persistence } from './persistence.ts';
import { forgetOwnShare, storeOwnShare, storedOwnShare, type OwnShare } from './share-links.ts';

/** The reader's right to share a match, and the reader's share link. */
export type ShareState =
  /** Everybody may read the match. */
  | { readonly kind: 'public' }
  /** The reader did not play the match, or it still runs. */
  | { readonly kind: 'forbidden' }
  /** The reader may create a link. */
  | { readonly kind: 'none' }
  /** The reader has created a link. `link` is `null` if another browser has stored its secret. */
  | { readonly kind: 'shared'; readonly created_at_ms: number; readonly link: OwnShare | null };

/** The share link of a match that not everybody may read. */
export class MatchShare {
  readonly state = signal<ShareState>({ kind: 'forbidden' });
  readonly #api: Api;
  readonly #match: MatchId;
  readonly #persistence: Persistence;

  constructor(api: Api, match: MatchId, persistence: Persistence) {
    this.#api = api;
    this.#match = match;
    this.#persistence = persistence;
  }

  /** Determines the state for a reader of the match. */
  async load({ view }: MatchView, reader: UserId | undefined): Promise<void> {
    const isPlayer = view.seats.some(({ user }) => user !== null && user.id === reader);
    if (view.settings.watchers === 'everybody') this.state.value = { kind: 'public' };
    else if (!isPlayer || view.state.phase !== 'ended') this.state.value = { kind: 'forbidden' };
    else this.state.value = await this.#request();
  }

  /** Creates a link. It replaces an earlier link of the reader. */
  async create(): Promise<OwnShare> {
    const created = await this.#api.createShare(this.#match);
    const link = storeOwnShare(this.#match, created, this.#persistence);
    this.state.value = { kind: 'shared', created_at_ms: link.created_at_ms, link };
    return link;
  }

  /** Removes the link. From then on nobody can read the match with it. */
  async remove(): Promise<void> {
    try {
      await this.#api.removeShare(this.#match);
    } catch (error) {
      // The link was already removed in another tab.
      if (!(error instanceof Refusal && error.code === 'not_found')) throw error;
    }
    forgetOwnShare(this.#match, this.#persistence);
    this.state.value = { kind: 'none' };
  }

  async #request(): Promise<ShareState> {
    try {
      const { created_at_ms } = await this.#api.share(this.#match);
      if (created_at_ms === undefined) return { kind: 'none' };
      return { kind: 'shared', created_at_ms, link: storedOwnShare(this.#match, created_at_ms, this.#persistence) };
    } catch {
      // The state is unknown. The reader can create a link anyway.
      return { kind: 'none' };
    }
  }
}
