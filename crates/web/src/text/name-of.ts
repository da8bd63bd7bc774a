import { text } from './index.ts';

/** The name that the server gives to all deleted users. Nobody else can have it. */
const DELETED_NAME = 'Deleted user';

/** Returns the name of a user. That of deleted users is in the language of the texts. */
export function nameOf({ name }: { readonly name: string }): string {
  return name === DELETED_NAME ? text.deletedUser : name;
}

/** Returns whether a user was deleted. */
export function isDeletedUser({ name }: { readonly name: string }): boolean {
  return name === DELETED_NAME;
}
