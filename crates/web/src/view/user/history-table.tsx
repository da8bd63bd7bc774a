import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RatingPoint } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { RatingChange } from '../ratings/rating-change.tsx';

/** The ratings after each match as a table, newest first. It is rendered when it is opened. */
export function HistoryTable({ points, name }: { points: readonly RatingPoint[]; name: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="history" data-testid="history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.ratings.asTable}</summary>
      {isOpen && (
        <div class="history-scroll" role="region" aria-label={text.ratings.history(name)} tabIndex={0}>
          <table class="rating-table">
            <thead>
              <tr>
                <th scope="col">{text.ratings.date}</th>
                <th scope="col" class="amount">
                  {text.ratings.rating}
                </th>
                <th scope="col" class="amount">
                  {text.ratings.change}
                </th>
              </tr>
            </thead>
            <tbody>{points.map((point, index) => <HistoryRow key={index} point={point} before={points[index - 1]} />).toReversed()}</tbody>
          </table>
        </div>
      )}
    </details>
  );
}

/** The rating after a match. There is no change without the rating before it. */
function HistoryRow({ point, before }: { point: RatingPoint; before: RatingPoint | undefined }): JSX.Element {
  return (
    <tr data-testid="history-row">
      <th scope="row">{text.moment(point.at_ms)}</th>
      <td class="amount">
        <span class="rating">{point.rating}</span>
      </td>
      <td class="amount">{before !== undefined && <RatingChange change={point.rating - before.rating} />}</td>
    </tr>
  );
}
