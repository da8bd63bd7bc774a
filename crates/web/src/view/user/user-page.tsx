import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { Me, UserId, UserPage as UserPageView, UserView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { errorText } from '../../text/error-text.ts';
import { MatchList } from '../archive/match-list.tsx';
import { useMatchPages } from '../archive/use-match-pages.ts';
import { useClient } from '../context.ts';
import { TableRow } from '../lobby/table-row.tsx';
import { FollowButton } from '../people/follow-button.tsx';
import { hasDialog, openPlayer } from '../people/open-player.ts';
import { RenameButton } from '../name-form.tsx';
import { useTitle } from '../title.ts';
import { UserName } from '../user-name.tsx';
import { KeepHint } from './keep-hint.tsx';
import { Ratings } from './ratings.tsx';
import { Standings } from './standings.tsx';

/** The data of the page. `me` is `null` on the pages of others, and if it could not be loaded. */
type LoadedUser = { readonly kind: 'loaded'; readonly page: UserPageView; readonly me: Me | null } | { readonly kind: 'failed'; readonly error: Error };

/**
 * The page of a player: the date of the first visit, the ratings, the results, the running tables,
 * and the matches.
 */
export function UserPage({ user }: { user: UserId }): JSX.Element {
  const client = useClient();
  const viewer = client.user.value?.id;
  const [loaded, setLoaded] = useState<LoadedUser | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const ownData = user === viewer ? client.api.me().catch(() => null) : null;
    Promise.all([client.api.userPage(user), ownData]).then(
      ([page, me]) => {
        if (isCurrent) setLoaded({ kind: 'loaded', page, me });
      },
      (error: unknown) => {
        if (isCurrent && error instanceof Error) setLoaded({ kind: 'failed', error });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [client, user, viewer, attempt]);
  const pages = useMatchPages(null, user);
  useEffect(() => client.connection.followLobby(), [client]);
  const page = loaded?.kind === 'loaded' ? loaded.page : null;
  useTitle(page === null ? text.nav.page : nameOf(page.user));

  if (loaded?.kind === 'failed') return <LoadError error={loaded.error} onRetry={() => setAttempt((times) => times + 1)} />;
  const runningTables = (client.publicTables.value?.tables ?? []).filter(
    ({ seats, phase }) => phase === 'running' && seats.some((seat) => seat.user?.id === user),
  );
  return (
    <main id="content" class="archive" aria-busy={page === null}>
      <header class="page-head" data-testid="player">
        <h1>{page === null ? '…' : <UserName user={user === viewer ? (client.user.value ?? page.user) : page.user} />}</h1>
        <p class="quiet">
          {page === null ? text.player.loading : description(page, user === viewer)}
        </p>
        {user === viewer && <RenameButton />}
        {page !== null && hasDialog(page.user, client.user.value) && (
          <div class="buttons">
            {page.user.account === true && <FollowButton user={page.user} />}
          <button type="button" class="button small" data-testid="report-user" onClick={() => (openPlayer.value = { user: page.user, moment: null })}>
            {text.people.more}
          </button>
          </div>
        )}
      </header>
      {loaded?.kind === 'loaded' && mayBeLost(loaded) && <KeepHint user={loaded.page.user} />}
      {page !== null && (
        <>
          {page.ratings !== undefined && page.ratings.length > 0 && (
            <section class="tables">
              <h2>{text.ratings.section}</h2>
              <Ratings user={user} ratings={page.ratings} />
            </section>
          )}
          <section class="tables">
            <h2>{text.player.standings}</h2>
            <Standings standings={page.standings} />
          </section>
          {runningTables.length > 0 && (
            <section class="tables">
              <h2>{text.player.playing}</h2>
              <ul class="rows">
                {runningTables.map((summary) => (
                  <TableRow key={summary.table} summary={summary} />
                ))}
              </ul>
            </section>
          )}
          <section class="tables">
            <h2>{text.player.matches}</h2>
            <a class="quiet" href={`/archive?user=${user}`}>
              {text.player.all}
            </a>
            <MatchList pages={pages} emptyMessage={<p>{text.archive.none}</p>} />
          </section>
        </>
      )}
    </main>
  );
}

/** Returns the facts below the name of a player. */
function description({ user, created_at_ms }: UserPageView, isViewer: boolean): string {
  const facts = [text.player.since(text.day(created_at_ms))];
  if (isGuest(user)) facts.unshift(text.account.guestMark);
  if (isViewer) facts.push(text.player.you);
  return facts.join(' · ');
}

function isGuest({ account, bot }: UserView): boolean {
  return account !== true && bot === undefined;
}

/** Returns whether the user is a guest with finished matches, whom only this browser knows. */
function mayBeLost({ page, me }: { page: UserPageView; me: Me | null }): boolean {
  return me !== null && isGuest(me.user) && me.recovery_key !== true && page.standings.length > 0;
}

function LoadError({ error, onRetry }: { error: Error; onRetry: () => void }): JSX.Element {
  const isNotFound = error instanceof Refusal && error.code === 'not_found';
  return (
    <main id="content" class="empty-page" data-testid="missing">
      <h1>{isNotFound ? text.player.notFound : text.notLoaded.title}</h1>
      <p>{isNotFound ? text.notFound.hint : errorText(error)}</p>
      {isNotFound ? (
        <a class="button primary" href="/">
          {text.toLobby}
        </a>
      ) : (
        <button type="button" class="button primary" onClick={onRetry}>
          {text.archive.tryAgain}
        </button>
      )}
    </main>
  );
}
