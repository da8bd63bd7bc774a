import type { JSX } from 'preact';
import type { Speed, Variant } from '../../protocol/generated.ts';
import { DEFAULT_SPEED, leaderboardAddress, LISTED_MATCHES, SPEEDS, type RatingKind } from '../../store/ratings.ts';
import { DEFAULT_VARIANT, VARIANTS } from '../../store/variants.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { FilterLink } from '../filter-link.tsx';
import { LoadError } from '../load-error.tsx';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { LeaderboardTable } from './leaderboard-table.tsx';
import { OwnRatingHint } from './own-rating-hint.tsx';

/** The page of the leaderboards: the best players in a variant at a speed, and the viewer's own rating. */
export function LeaderboardPage({ variant, speed }: { variant: Variant | null; speed: Speed | null }): JSX.Element {
  const client = useClient();
  const kind: RatingKind = { variant: variant ?? DEFAULT_VARIANT, speed: speed ?? DEFAULT_SPEED };
  const key = `${kind.variant} ${kind.speed}`;
  const viewer = client.user.value;
  const hasAccount = viewer?.account === true;
  const board = useLoaded(() => client.api.leaderboard(kind.variant, kind.speed), key);
  // The leaderboard is also useful without the viewer's own rating.
  const ownPage = useLoaded(() => client.api.userPage(viewer?.id ?? ''), hasAccount ? viewer.id : undefined);
  useTitle(text.ratings.title);
  const name = text.ratings.kind(kind.variant, kind.speed);
  const players = board.value?.players ?? [];
  const own = ownPage.value?.ratings?.find((rating) => rating.variant === kind.variant && rating.speed === kind.speed) ?? null;
  const isListed = players.some(({ user }) => user.id === viewer?.id);
  // The place of a listed player who is not among the best.
  const history = useLoaded(() => client.api.ratingHistory(viewer?.id ?? '', kind.variant, kind.speed), own !== null && board.value !== null && !isListed ? `${viewer?.id ?? ''} ${key}` : undefined);
  const ownRank = history.value?.rank ?? null;

  return (
    <main id="content" class="archive">
      <header class="page-head">
        <h1>{text.ratings.title}</h1>
        <p class="quiet">{text.ratings.tagline}</p>
      </header>
      <nav class="filters" aria-label={text.ratings.filters}>
        <ul class="chips">
          {VARIANTS.map((one) => (
            <FilterLink key={one} href={leaderboardAddress({ ...kind, variant: one })} chosen={kind.variant === one} words={text.variants[one].name} />
          ))}
        </ul>
        <ul class="chips">
          {SPEEDS.map((one) => (
            <FilterLink key={one} href={leaderboardAddress({ ...kind, speed: one })} chosen={kind.speed === one} words={text.ratings.speeds[one]} />
          ))}
        </ul>
      </nav>
      <section class="leaderboard" aria-labelledby="leaderboard-title" aria-busy={board.value === null && board.error === null} data-testid="leaderboard">
        <h2 id="leaderboard-title">{name}</h2>
        {board.error !== null && <LoadError error={board.error} onRetry={board.retry} />}
        {board.value === null && board.error === null && <p class="quiet">{text.ratings.loading}</p>}
        {board.value !== null && players.length === 0 && (
          <p class="empty" data-testid="leaderboard-empty">
            {text.ratings.none}
          </p>
        )}
        {board.value !== null && (players.length > 0 || own !== null) && (
          <LeaderboardTable players={players} viewer={viewer} own={isListed ? null : own} ownRank={ownRank} name={name} />
        )}
        {board.value !== null && (
          <>
            <p class="quiet">{text.ratings.rule(LISTED_MATCHES)}</p>
            {!isListed && ownRank === null && <OwnRatingHint hasAccount={hasAccount} own={own} isLoading={hasAccount && ownPage.value === null} />}
          </>
        )}
      </section>
    </main>
  );
}
