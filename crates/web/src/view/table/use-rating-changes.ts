import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SeatRating } from '../../protocol/generated.ts';
import { MatchRatings } from '../../store/match-ratings.ts';
import type { TableState } from '../../store/table.ts';
import { useClient } from '../context.ts';

const NONE: readonly SeatRating[] = [];

/** Returns the ratings of the players before and after a rated match that has a result. */
export function useRatingChanges({ match, settings, state }: TableState): readonly SeatRating[] {
  const { api } = useClient();
  const ratings = useSignal<MatchRatings | null>(null);
  const isWanted = settings.rated && state.outcome !== undefined;
  useEffect(() => {
    if (!isWanted) return undefined;
    const loading = new MatchRatings(api, match);
    ratings.value = loading;
    void loading.loadChanges();
    return () => {
      loading.dispose();
      ratings.value = null;
    };
  }, [api, match, isWanted, ratings]);
  return ratings.value?.seats.value ?? NONE;
}
