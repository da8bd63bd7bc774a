import type { JSX } from 'preact';
import type { UserView } from '../protocol/generated.ts';
import { text } from '../text/index.ts';

/** Somebody's name, with a mark if it is a bot's. */
export function UserName({ user }: { user: UserView }): JSX.Element {
  return (
    <>
      {user.name}
      {user.bot !== undefined && (
        <>
          {' '}
          <BotMark />
        </>
      )}
    </>
  );
}

/** What marks a bot. */
export function BotMark(): JSX.Element {
  return (
    <span class="bot-mark" data-testid="bot-mark">
      {text.bots.mark}
    </span>
  );
}
