import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { RatingPoint } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { ratingScale, shareFromTop } from './rating-scale.ts';

/** The width and the height of the view box of the line. The line is stretched to the chart. */
const BOX = 1_000;

/**
 * The ratings after each match as a line, in the order of the matches. The pointer shows single
 * matches; users of the keyboard or of a screen reader have a table below the chart.
 */
export function RatingChart({ points, name }: { points: readonly RatingPoint[]; name: string }): JSX.Element | null {
  const [pointed, setPointed] = useState<number | null>(null);
  const ratings = useMemo(() => points.map(({ rating }) => rating), [points]);
  const scale = useMemo(() => ratingScale(ratings), [ratings]);
  const shown = pointed ?? points.length - 1;
  const point = points[shown];
  const [first, last] = [points[0], points.at(-1)];
  if (point === undefined || first === undefined || last === undefined) return null;
  const across = (index: number): number => (points.length === 1 ? 0.5 : index / (points.length - 1));
  const line = ratings.map((rating, index) => `${across(index) * BOX} ${shareFromTop(scale, rating) * BOX}`).join('L');
  const pointAt = (event: PointerEvent): void => {
    const element = event.currentTarget;
    if (!(element instanceof Element)) return;
    const { left, width } = element.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - left) / Math.max(width, 1), 0), 1);
    setPointed(Math.round(share * (points.length - 1)));
  };
  return (
    <figure class="rating-chart" data-testid="rating-chart">
      <p class="chart-shown" aria-hidden="true" data-testid="chart-shown">
        {text.moment(point.at_ms)}: <strong>{point.rating}</strong>
      </p>
      <div class="chart-body">
        <ol class="chart-scale" aria-hidden="true">
          {scale.map((rating) => (
            <li key={rating}>{rating}</li>
          ))}
        </ol>
        <div class="chart-area" onPointerDown={pointAt} onPointerMove={pointAt} onPointerLeave={() => setPointed(null)}>
          <svg viewBox={`0 0 ${BOX} ${BOX}`} preserveAspectRatio="none" role="img" aria-labelledby="rating-chart-title rating-chart-text">
            <title id="rating-chart-title">{text.ratings.history(name)}</title>
            <desc id="rating-chart-text">{describe(points)}</desc>
            {scale.map((rating) => (
              <path key={rating} class="chart-line" d={`M0 ${shareFromTop(scale, rating) * BOX}H${BOX}`} />
            ))}
            <path class="chart-ratings" d={`M${line}`} />
          </svg>
          <span
            class="chart-point"
            aria-hidden="true"
            style={{ insetInlineStart: `${across(shown) * 100}%`, insetBlockStart: `${shareFromTop(scale, point.rating) * 100}%` }}
          />
        </div>
      </div>
      <figcaption class="chart-days" aria-hidden="true">
        <span>{text.day(first.at_ms)}</span>
        <span>{points.length > 1 && text.day(last.at_ms)}</span>
      </figcaption>
    </figure>
  );
}

/** Returns the course of the ratings in a sentence. */
function describe(points: readonly RatingPoint[]): string {
  const ratings = points.map(({ rating }) => rating);
  const at = (index: number): string => String(ratings.at(index) ?? '');
  return text.ratings.chart(at(0), at(-1), String(Math.min(...ratings)), String(Math.max(...ratings)), points.length);
}
