import { signal } from '@preact/signals';
import type { UserView } from '../../protocol/generated.ts';
import type { Moment } from '../../store/table.ts';
import { isDeletedUser } from '../../text/name-of.ts';

/** A player whose dialog is open. */
export interface OpenPlayer {
  readonly user: UserView;
  /** The moment of a match at which the dialog was opened, for a report; `null` outside of matches. */
  readonly moment: Moment | null;
}

/** The player whose dialog is open. */
export const openPlayer = signal<OpenPlayer | null>(null);

/** Returns whether there is a dialog for a user: not for the viewer, bots of the server, deleted users, and users whose names are hidden. */
export function hasDialog(user: UserView, viewer: UserView | null): boolean {
  return viewer !== null && user.anonymous !== true && user.id !== viewer.id && !isDeletedUser(user) && (user.bot === undefined || user.bot.kind === 'account');
}
