import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { MatchId } from '../../protocol/generated.ts';
import { MatchRatings } from '../../store/match-ratings.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { RatingValue } from '../ratings/rating-value.tsx';

/** The players' ratings before a rated match, and the average places that such players reach. */
export function ExpectedPlaces({ match }: { match: MatchId }): JSX.Element | null {
  const { api } = useClient();
  const ratings = useMemo(() => new MatchRatings(api, match), [api, match]);
  useEffect(() => {
    void ratings.load();
    return () => ratings.dispose();
  }, [ratings]);
  const seats = ratings.seats.value;
  if (seats.length === 0) return null;
  return (
    <div data-testid="expected-places">
      <dt>{text.ratings.expectedPlaces}</dt>
      <dd>
        <ul>
          {seats.map(({ color, before, provisional, expected_place }) => (
            <li key={color}>
              {text.colors[color]} <RatingValue rating={before} provisional={provisional} /> · {text.number(expected_place)}
            </li>
          ))}
        </ul>
      </dd>
    </div>
  );
}
