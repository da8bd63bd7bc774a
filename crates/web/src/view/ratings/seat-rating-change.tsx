import type { JSX } from 'preact';
import type { SeatRating } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { RatingChange } from './rating-change.tsx';
import { RatingValue } from './rating-value.tsx';

/** The rating of a player before a match and its change: `1523 +12`. Its place is reserved while it is unknown. */
export function SeatRatingChange({ rating }: { rating: SeatRating | undefined }): JSX.Element {
  if (rating?.after === undefined) return <span class="seat-rating" aria-hidden="true" />;
  const { before, after, provisional } = rating;
  return (
    <span class="seat-rating" data-testid="rating-change" title={text.ratings.after(after)}>
      <RatingValue rating={before} provisional={provisional} /> <RatingChange change={after - before} />
    </span>
  );
}
