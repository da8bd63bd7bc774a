import { signal } from '@preact/signals';
import type { UserView } from '../../protocol/generated.ts';
import type { OwnTables, OwnTableState } from '../../store/own-tables.ts';

/** The player whom the user is about to invite, while the dialog for that is open. */
export const invitedPlayer = signal<UserView | null>(null);

/** Returns the tables of the user that have a free seat, so their matches have not started. */
export function hostedTables(tables: OwnTables, viewer: UserView | null, invited: UserView): readonly OwnTableState[] {
  return (tables ?? []).filter(
    ({ host, seats }) => host.id === viewer?.id && seats.some(({ user }) => user === null) && !seats.some(({ user }) => user?.id === invited.id),
  );
}
