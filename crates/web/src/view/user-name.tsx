import type { JSX } from 'preact';
import type { UserView } from '../protocol/generated.ts';
import { text } from '../text/index.ts';
import { nameOf } from '../text/name-of.ts';

/** The name of a user, with a badge for bots. */
export function UserName({ user }: { user: UserView }): JSX.Element {
  return (
    <>
      {nameOf(user)}
      {user.bot !== undefined && (
        <>
          {' '}
          <span class="bot-mark" data-testid="bot-mark">
            {text.bots.badge}
          </span>
        </>
      )}
    </>
  );
}

/**
 * The name of a user, for places with little room. A long name is cut off, but the badge of a bot
 * never is.
 */
export function ShortUserName({ user }: { user: UserView }): JSX.Element {
  return (
    <>
      <span class="short-name">{nameOf(user)}</span>
      {user.bot !== undefined && (
        <span class="bot-mark" data-testid="bot-mark">
          {text.bots.badge}
        </span>
      )}
    </>
  );
}

/** The badge of a bot as a small icon. */
export function BotIcon(): JSX.Element {
  return (
    <span class="bot-icon" data-testid="bot-sign" role="img" aria-label={text.bots.badge} title={text.bots.badge}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 3v4M5 8h14a1 1 0 0 1 1 1v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V9a1 1 0 0 1 1-1zM9 16h6" />
        <path d="M9 11.5v1.5M15 11.5v1.5" />
      </svg>
    </span>
  );
}
