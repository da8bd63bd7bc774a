import type { UserView } from '../protocol/generated.ts';
import type { Api } from './api.ts';

/** The proof of a user's identity: the name and the password of an account, or a recovery key. */
export type Credentials = { readonly name: string; readonly password: string } | { readonly recovery_key: string };

/** Returns the user if it is a guest with unfinished tables or finished matches. */
export async function guestWithMatches(api: Api, user: UserView | null): Promise<UserView | null> {
  if (user === null || user.account === true) return null;
  const [{ tables }, { standings }] = await Promise.all([api.me(), api.userPage(user.id)]);
  return tables.length > 0 || standings.length > 0 ? user : null;
}
