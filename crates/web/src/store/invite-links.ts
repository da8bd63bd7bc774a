import type { LinkCreated, TableId } from '../protocol/generated.ts';
import type { Api } from './api.ts';
import { type Persistence, tabPersistence } from './persistence.ts';

/** Returns the address of a link to a table, at an origin that others can open. */
export function linkTo(table: TableId, kind: 'invite' | 'watch', { secret, origin }: LinkCreated): string {
  return `${origin ?? location.origin}/t/${table}#${kind}=${secret}`;
}

/** Returns the invite for any free seat that this tab has created, or `null`. */
export function keptInvite(table: TableId, persistence: Persistence = tabPersistence): string | null {
  const kept = persistence.get(nameOf(table));
  return kept === '' ? null : kept;
}

/** Creates an invite for any free seat, and keeps it for this tab. */
export async function createOpenInvite(api: Api, table: TableId, persistence: Persistence = tabPersistence): Promise<string> {
  const link = linkTo(table, 'invite', await api.createInvite(table, { uses: 'open' }));
  persistence.set(nameOf(table), link);
  return link;
}

/** Forgets the invite of this tab, which was revoked. */
export function forgetInvite(table: TableId, persistence: Persistence = tabPersistence): void {
  persistence.set(nameOf(table), '');
}

/** Returns whether an address leads to the machine of the browser alone. */
export function isLoopback(link: string): boolean {
  const { hostname } = new URL(link);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.');
}

function nameOf(table: TableId): string {
  return `quadrex.invite-link.${table}`;
}
