import type { JSX } from 'preact';

/** The change of a rating with its sign: `+12`, `−5`, `±0`. */
export function RatingChange({ change }: { change: number }): JSX.Element {
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
  return (
    <span class="rating-change" data-change={change > 0 ? 'gain' : change < 0 ? 'loss' : 'none'}>
      {sign}
      {Math.abs(change)}
    </span>
  );
}
