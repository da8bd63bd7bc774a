import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FollowedUser, Opponent } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { useClient } from '../context.ts';
import { InviteButton } from '../invitations/invite-button.tsx';
import { LoadError } from '../load-error.tsx';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { UserName } from '../user-name.tsx';
import { FollowButton } from './follow-button.tsx';

/** The interval between two requests for what the followed players do, in milliseconds. */
const REFRESH_MS = 30_000;

/** The page with the players whom the user follows, and with recent opponents. */
export function FriendsPage(): JSX.Element {
  const client = useClient();
  const { relations } = client;
  const words = text.friends;
  const user = client.user.value?.id;
  const followed = useLoaded(async () => {
    await relations.loadFollows();
    return true;
  }, user);
  const opponents = useLoaded(async () => (await client.api.opponents()).opponents, user);
  const [result, setResult] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(words.title);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void relations.loadFollows().catch(() => undefined);
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [relations]);
  /** The row has disappeared, so the focus moves to the heading of the list. */
  const onRemoved = (done: string): void => {
    setResult(done);
    heading.current?.focus();
  };
  const hasFollowed = followed.value !== null;
  return (
    <main id="content" class="archive">
      <header class="page-head">
        <h1>{words.title}</h1>
        <p class="quiet">{words.hint}</p>
      </header>
      <section class="tables" aria-labelledby="followed-title" aria-busy={!hasFollowed && followed.error === null} data-testid="followed">
        <h2 id="followed-title" ref={heading} tabIndex={-1}>
          {words.followed}
        </h2>
        {followed.error !== null && <LoadError error={followed.error} onRetry={followed.retry} />}
        {hasFollowed && relations.follows.value.length === 0 && <p class="empty">{words.none}</p>}
        <p role="status" class="visually-hidden" data-testid="follow-result">
          {result}
        </p>
        <ul class="friends">
          {relations.follows.value.map((one) => (
            <FollowedRow key={one.user.id} followed={one} onRemoved={onRemoved} />
          ))}
        </ul>
      </section>
      <section class="tables" aria-labelledby="opponents-title" aria-busy={opponents.value === null && opponents.error === null} data-testid="opponents">
        <h2 id="opponents-title">{words.opponents}</h2>
        {opponents.error !== null && <LoadError error={opponents.error} onRetry={opponents.retry} />}
        {opponents.value?.length === 0 && <p class="empty">{words.noOpponents}</p>}
        <ul class="friends">
          {(opponents.value ?? []).map((one) => (
            <OpponentRow key={one.user.id} opponent={one} />
          ))}
        </ul>
      </section>
    </main>
  );
}

/** A followed player, with a link to the table where the player plays now. */
function FollowedRow({ followed: { user, online, table }, onRemoved }: { followed: FollowedUser; onRemoved: (done: string) => void }): JSX.Element {
  const words = text.friends;
  const isOnline = online === true;
  return (
    <li class="session" data-testid="followed-user" data-online={isOnline}>
      <span class="session-text">
        <a class="session-name" href={`/u/${user.id}`}>
          <UserName user={user} />
        </a>
        <span class="quiet friend-state">
          <span class="presence" data-presence={isOnline ? 'connected' : 'gone'} aria-hidden="true" />
          {table === undefined ? (isOnline ? words.online : words.offline) : words.playing}
        </span>
      </span>
      <span class="buttons align-end">
        {table !== undefined && (
          <a class="button small" href={`/t/${table}`} aria-label={words.watch(nameOf(user))}>
            {text.lobby.watch}
          </a>
        )}
        <InviteButton user={user} isSmall />
        <FollowButton user={user} onDone={onRemoved} />
      </span>
    </li>
  );
}

/** A recent opponent, whom the user may follow. */
function OpponentRow({ opponent: { user, matches, last_at_ms } }: { opponent: Opponent }): JSX.Element {
  return (
    <li class="session" data-testid="opponent">
      <span class="session-text">
        <a class="session-name" href={`/u/${user.id}`}>
          <UserName user={user} />
        </a>
        <span class="quiet">{text.friends.matches(matches, text.day(last_at_ms))}</span>
      </span>
      <span class="buttons align-end">
        <InviteButton user={user} isSmall />
        {user.account === true && <FollowButton user={user} />}
      </span>
    </li>
  );
}
