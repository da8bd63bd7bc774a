import type { Color, UserView } from '../protocol/generated.ts';
import { text } from './index.ts';

/** A user, as far as its name depends on it. */
type Named = Pick<UserView, 'name' | 'anonymous'>;

/** The name that the server gives to all deleted users. Nobody else can have it. */
const DELETED_NAME = 'Deleted user';

/** The colors by the names that the server gives to the players of anonymous matches. */
const COLORS: Readonly<Record<string, Color>> = { Red: 'red', Blue: 'blue', Yellow: 'yellow', Green: 'green' };

/** Returns the name of a user. Those of deleted and anonymous users are in the language of the texts. */
export function nameOf(user: Named): string {
  if (user.anonymous === true) return anonymousName(user.name);
  return isDeletedUser(user) ? text.deletedUser : user.name;
}

/** Returns whether a user was deleted. */
export function isDeletedUser({ name }: Named): boolean {
  return name === DELETED_NAME;
}

function anonymousName(name: string): string {
  const color = COLORS[name];
  if (color !== undefined) return text.colors[color];
  return name === 'Host' ? text.settings.labels.host : text.anonymous.spectator;
}
