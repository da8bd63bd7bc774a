import { useEffect, useMemo } from 'preact/hooks';
import type { MatchId } from '../../protocol/generated.ts';
import { MatchReview } from '../../store/match-review.ts';
import { useClient } from '../context.ts';

/**
 * Returns the review of a match. The page must call `load`. The requests stop when the page is
 * closed.
 */
export function useReview(match: MatchId): MatchReview {
  const { api } = useClient();
  const review = useMemo(() => new MatchReview(api, match), [api, match]);
  useEffect(() => () => review.dispose(), [review]);
  return review;
}
