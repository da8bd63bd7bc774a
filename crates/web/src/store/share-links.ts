import type { MatchId, ShareCreated } from '../protocol/generated.ts';
import { replaceAddress } from './address.ts';
import { type Persistence, tabPersistence } from './persistence.ts';

/** A share link that a player of this browser has created. */
export interface OwnShare {
  readonly secret: string;
  readonly created_at_ms: number;
  /** The origin with which others reach the server. */
  readonly origin: string;
}

/**
 * Moves the secret of a share link from the address bar into the storage of this tab, where it is
 * still available after a reload. Returns whether the address contained a secret.
 */
export function takeShareSecret(match: MatchId, page: Location, history: History, persistence: Persistence = tabPersistence): boolean {
  const secret = new URLSearchParams(page.hash.slice(1)).get('share');
  if (secret === null) return false;
  persistence.set(secretKey(match), secret);
  replaceAddress(history, page.pathname + page.search);
  return true;
}

/** Returns the secret of a share link that was opened in this tab, or `null`. */
export function shareSecretOf(match: MatchId, persistence: Persistence = tabPersistence): string | null {
  return persistence.get(secretKey(match));
}

/** Returns the share link to a ply of a match. If `ply` is `null`, it leads to the last ply. */
export function shareLink(match: MatchId, origin: string, secret: string, ply: number | null): string {
  return `${origin}/m/${match}${ply === null ? '' : `?ply=${ply}`}#share=${secret}`;
}

/** Stores a link that the player has created, because the server returns its secret only once. */
export function storeOwnShare(match: MatchId, created: ShareCreated, persistence: Persistence): OwnShare {
  const { secret, created_at_ms, origin = location.origin } = created;
  const share = { secret, created_at_ms, origin };
  persistence.set(ownKey(match), JSON.stringify(share));
  return share;
}

/** Returns the stored link that was created at this time, or `null`. */
export function storedOwnShare(match: MatchId, created_at_ms: number, persistence: Persistence): OwnShare | null {
  try {
    const stored = JSON.parse(persistence.get(ownKey(match)) ?? 'null') as OwnShare | null;
    return stored?.created_at_ms === created_at_ms ? stored : null;
  } catch {
    return null;
  }
}

/** Deletes the stored link, after it was removed on the server. */
export function forgetOwnShare(match: MatchId, persistence: Persistence): void {
  persistence.set(ownKey(match), 'null');
}

function secretKey(match: MatchId): string {
  return `quadrex.share.${match}`;
}

function ownKey(match: MatchId): string {
  return `quadrex.own-share.${match}`;
}
