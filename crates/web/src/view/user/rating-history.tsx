import type { JSX } from 'preact';
import type { RatingView, UserId } from '../../protocol/generated.ts';
import { bestPoint, leaderboardAddress } from '../../store/ratings.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { LoadError } from '../load-error.tsx';
import { RatingValue } from '../ratings/rating-value.tsx';
import { useLoaded } from '../use-loaded.ts';
import { HistoryTable } from './history-table.tsx';
import { RatingChart } from './rating-chart.tsx';

/** The history of a rating: its facts, a chart, and the same as a table. */
export function RatingHistory({ user, rating }: { user: UserId; rating: RatingView }): JSX.Element {
  const { api } = useClient();
  const { variant, speed, matches } = rating;
  const history = useLoaded(() => api.ratingHistory(user, variant, speed), `${user} ${variant} ${speed}`);
  const name = text.ratings.kind(variant, speed);
  const points = history.value?.points ?? [];
  const best = bestPoint(points);
  return (
    <section class="card rating-history" data-testid="rating-history" aria-busy={history.value === null && history.error === null}>
      <h3>{name}</h3>
      <dl class="rating-facts">
        <Fact label={text.ratings.rating}>
          <RatingValue rating={rating.rating} provisional={rating.provisional} />
        </Fact>
        <Fact label={text.ratings.best}>{best === null ? '–' : <span title={text.day(best.at_ms)}>{best.rating}</span>}</Fact>
        <Fact label={text.ratings.matches}>{text.number(matches)}</Fact>
      </dl>
      {history.error !== null && <LoadError error={history.error} onRetry={history.retry} />}
      {history.error === null && (
        <>
          <div class="chart-place">{points.length > 0 && <RatingChart key={name} points={points} name={name} />}</div>
          <HistoryTable key={`table ${name}`} points={points} name={name} />
        </>
      )}
      <a class="quiet" href={leaderboardAddress(rating)}>
        {text.ratings.toLeaderboard}
      </a>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: JSX.Element | string }): JSX.Element {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
