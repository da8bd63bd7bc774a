import type { TableId } from '../protocol/generated.ts';
import { replaceAddress } from './address.ts';
import type { Persistence } from './persistence.ts';

/** The secrets that give this tab access to a private table. */
export interface TableSecrets {
  readonly invite: string | undefined;
  readonly watch: string | undefined;
  /**
   * Set if this tab has just opened an invite, or a link to a public table that gives its visitors
   * a seat. It is not set if the invite comes from the storage of this tab.
   */
  readonly isNewInvite?: boolean;
}

/**
 * Moves the secret from the address bar into the storage of this tab, so that nobody can read or
 * copy it from the address. After a reload it is read from the storage.
 */
export function takeTableSecrets(table: TableId, page: Location, history: History, persistence: Persistence): TableSecrets {
  const given = new URLSearchParams(page.hash.slice(1));
  for (const kind of ['invite', 'watch'] as const) {
    const secret = given.get(kind);
    if (secret !== null) persistence.set(secretKey(kind, table), secret);
  }
  if (given.has('invite') || given.has('watch') || given.has('sit')) {
    replaceAddress(history, page.pathname + page.search);
  }
  return {
    isNewInvite: given.has('invite') || given.has('sit'),
    invite: persistence.get(secretKey('invite', table)) ?? undefined,
    watch: persistence.get(secretKey('watch', table)) ?? undefined,
  };
}

/**
 * Removes the secret of a handover from the address bar and returns it. A handover can be used only
 * once.
 */
export function takeHandoverSecret(page: Location, history: History): string | undefined {
  const secret = new URLSearchParams(page.hash.slice(1)).get('seat') ?? undefined;
  if (secret !== undefined) replaceAddress(history, page.pathname + page.search);
  return secret;
}

function secretKey(kind: 'invite' | 'watch', table: TableId): string {
  return `quadrex.${kind}.${table}`;
}
