import type { LinkCreated, TableId } from '../protocol/generated.ts';
import type { Api } from './api.ts';
import { type Persistence, tabPersistence } from './persistence.ts';

/**
 * Returns the address of a link to a table. Its origin can be opened on other devices if the server
 * knows such an origin.
 */
export function linkTo(table: TableId, kind: 'invite' | 'watch', { secret, origin }: LinkCreated): string {
  return `${origin ?? location.origin}/t/${table}#${kind}=${secret}`;
}

/** Returns the invite for any free seat that this tab has created, or `null`. */
export function storedInvite(table: TableId, persistence: Persistence = tabPersistence): string | null {
  const kept = persistence.get(nameOf(table));
  return kept === '' ? null : kept;
}

/** Creates an invite for any free seat, and stores it in this tab. */
export async function createOpenInvite(api: Api, table: TableId, persistence: Persistence = tabPersistence): Promise<string> {
  const link = linkTo(table, 'invite', await api.createInvite(table, { uses: 'open' }));
  persistence.set(nameOf(table), link);
  return link;
}

/** Removes the invite from the storage of this tab, because it was revoked. */
export function forgetInvite(table: TableId, persistence: Persistence = tabPersistence): void {
  persistence.set(nameOf(table), '');
}

/** Returns whether an address works only on the machine of this browser. */
export function isLoopback(link: string): boolean {
  const { hostname } = new URL(link);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.');
}

function nameOf(table: TableId): string {
  return `quadrex.invite-link.${table}`;
}
