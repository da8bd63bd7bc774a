import type { JSX } from 'preact';
import type { AdminUser, UserSuspensionView, UserView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { UserName } from '../user-name.tsx';

/** A user in a list of operators, with a link to the details. */
export function UserRow({ user: { user, created_at_ms, suspension } }: { user: AdminUser }): JSX.Element {
  return (
    <li class="session" data-testid="admin-user" data-suspended={suspension !== undefined}>
      <span class="session-text">
        <a class="session-name" href={`/admin/u/${user.id}`}>
          <UserName user={user} />
        </a>
        <span class="quiet">{[kindOf(user), text.admin.firstVisit(text.day(created_at_ms))].filter((one) => one !== null).join(' · ')}</span>
        {suspension !== undefined && <span class="admin-suspended">{`${suspensionEnd(suspension)} · ${suspension.reason}`}</span>}
      </span>
    </li>
  );
}

/** Returns the kind of a user; `null` for a bot, whose name has a mark. */
export function kindOf({ account, bot }: UserView): string | null {
  if (account === true) return text.account.title;
  return bot === undefined ? text.account.guestMark : null;
}

/** Returns the end of a suspension in a few words. */
export function suspensionEnd({ until_ms }: UserSuspensionView): string {
  return until_ms === undefined ? text.admin.suspendedForGood : text.admin.suspendedUntil(text.moment(until_ms));
}
