import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RatingView, UserId } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { RatingValue } from '../ratings/rating-value.tsx';
import { VariantEmblem } from '../variant-emblem.tsx';
import { RatingHistory } from './rating-history.tsx';

/** The ratings of a player by variant and speed, and the history of one of them. */
export function Ratings({ user, ratings }: { user: UserId; ratings: readonly RatingView[] }): JSX.Element {
  const words = text.ratings;
  const sorted = ratings.toSorted((one, other) => other.matches - one.matches);
  const [chosen, setChosen] = useState<RatingView | undefined>(sorted[0]);
  const shown = sorted.find((rating) => isSameKind(rating, chosen)) ?? sorted[0];
  return (
    <div class="ratings" data-testid="ratings">
      <table class="rating-table">
        <caption class="visually-hidden">{words.section}</caption>
        <thead>
          <tr>
            <th scope="col">{words.game}</th>
            <th scope="col" class="amount">
              {words.rating}
            </th>
            <th scope="col" class="amount">
              {words.matches}
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((rating) => (
            <RatingRow key={`${rating.variant} ${rating.speed}`} rating={rating} isShown={rating === shown} onShow={() => setChosen(rating)} />
          ))}
        </tbody>
      </table>
      {shown !== undefined && <RatingHistory user={user} rating={shown} />}
    </div>
  );
}

interface RatingRowProps {
  readonly rating: RatingView;
  /** Set if the history of this rating is displayed. */
  readonly isShown: boolean;
  readonly onShow: () => void;
}

function RatingRow({ rating: { variant, speed, rating, provisional, matches }, isShown, onShow }: RatingRowProps): JSX.Element {
  const name = text.ratings.kind(variant, speed);
  return (
    <tr data-shown={isShown} data-testid={`rating-${variant}-${speed}`}>
      <th scope="row">
        <button type="button" class="rating-kind" aria-pressed={isShown} title={text.ratings.show(name)} onClick={onShow}>
          <VariantEmblem variant={variant} />
          <span>
            {text.variants[variant].name} <span class="quiet">{text.ratings.speeds[speed]}</span>
          </span>
        </button>
      </th>
      <td class="amount">
        <RatingValue rating={rating} provisional={provisional} />
      </td>
      <td class="amount">{text.number(matches)}</td>
    </tr>
  );
}

function isSameKind(one: RatingView, other: RatingView | undefined): boolean {
  return one.variant === other?.variant && one.speed === other.speed;
}
