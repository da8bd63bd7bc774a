import type { JSX } from 'preact';
import { text } from '../../text/index.ts';

/** A rating as a number. A question mark after it means that it is provisional. */
export function RatingValue({ rating, provisional = false }: { rating: number; provisional?: boolean | undefined }): JSX.Element {
  return (
    <span class="rating">
      {rating}
      {provisional && (
        <span class="provisional" title={text.ratings.provisional}>
          ?
        </span>
      )}
    </span>
  );
}
