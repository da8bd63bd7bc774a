import type { TableId } from '../protocol/generated.ts';
import { replaceAddress } from './address.ts';
import type { Persistence } from './persistence.ts';

/** The secrets that open a private table to this tab. */
export interface TableSecrets {
  readonly invite: string | undefined;
  readonly watch: string | undefined;
}

/**
 * Takes the secret out of the address bar, where it would be seen and copied, and keeps it for this tab alone, so that
 * a reload still finds the table.
 */
export function takeTableSecrets(table: TableId, page: Location, history: History, persistence: Persistence): TableSecrets {
  const given = new URLSearchParams(page.hash.slice(1));
  for (const kind of ['invite', 'watch'] as const) {
    const secret = given.get(kind);
    if (secret !== null) persistence.set(place(kind, table), secret);
  }
  if (given.has('invite') || given.has('watch')) {
    replaceAddress(history, page.pathname + page.search);
  }
  return {
    invite: persistence.get(place('invite', table)) ?? undefined,
    watch: persistence.get(place('watch', table)) ?? undefined,
  };
}

/** Takes the secret that makes one who one is on another device out of the address bar; it is good once. */
export function takeHandoverSecret(page: Location, history: History): string | undefined {
  const secret = new URLSearchParams(page.hash.slice(1)).get('seat') ?? undefined;
  if (secret !== undefined) replaceAddress(history, page.pathname + page.search);
  return secret;
}

function place(kind: 'invite' | 'watch', table: TableId): string {
  return `quadrex.${kind}.${table}`;
}
