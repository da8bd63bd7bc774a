import type { JSX } from 'preact';
import type { RatingView } from '../../protocol/generated.ts';
import { LEADERBOARD_LENGTH, LISTED_MATCHES } from '../../store/ratings.ts';
import { text } from '../../text/index.ts';

interface OwnRatingHintProps {
  readonly hasAccount: boolean;
  /** The viewer's rating; `null` if there is none. */
  readonly own: RatingView | null;
  readonly isLoading: boolean;
}

/** The reason why the viewer is not in a leaderboard, and what to do to get there. */
export function OwnRatingHint({ hasAccount, own, isLoading }: OwnRatingHintProps): JSX.Element | null {
  if (isLoading) return null;
  if (!hasAccount) {
    return (
      <p class="own-hint" data-testid="own-hint">
        {text.ratings.onlyAccounts}{' '}
        <a href="/sign-up" data-testid="ratings-sign-up">
          {text.account.create}
        </a>
      </p>
    );
  }
  return (
    <p class="own-hint" data-testid="own-hint">
      {reason(own)}
    </p>
  );
}

function reason(own: RatingView | null): string {
  const words = text.ratings;
  if (own === null) return words.unrated;
  if (own.matches < LISTED_MATCHES) return words.missingMatches(LISTED_MATCHES - own.matches);
  return own.provisional === true ? words.stillProvisional : words.notAmongBest(LEADERBOARD_LENGTH);
}
