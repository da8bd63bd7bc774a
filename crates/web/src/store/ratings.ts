import type { RatingHistory, RatingPoint, Speed, Variant } from '../protocol/generated.ts';

/** All speeds, the quickest first. */
export const SPEEDS: readonly Speed[] = ['bullet', 'blitz', 'rapid', 'classical', 'correspondence'];

/** The speed of the most common clocks. */
export const DEFAULT_SPEED: Speed = 'rapid';

/** The ratings of a user after each rated match, and the user's rank if the user is listed. */
export type RankedHistory = RatingHistory & { readonly rank?: number };

/** The number of rated matches from which a player is listed in a leaderboard. */
export const LISTED_MATCHES = 10;

/** The largest number of players in a leaderboard. */
export const LEADERBOARD_LENGTH = 100;

/** The deviation above which a rating is provisional. */
const PROVISIONAL_DEVIATION = 110;

/** A variant and a speed, for which players have a rating. */
export interface RatingKind {
  readonly variant: Variant;
  readonly speed: Speed;
}

/**
 * Returns the highest rating of a history, or `null` if all of it is provisional: a few lucky
 * matches are no best performance.
 */
export function bestPoint(points: readonly RatingPoint[]): RatingPoint | null {
  const certain = points.filter(({ deviation }) => deviation <= PROVISIONAL_DEVIATION);
  return certain.reduce<RatingPoint | null>((best, point) => (best === null || point.rating > best.rating ? point : best), null);
}

/** Returns the address of a leaderboard. */
export function leaderboardAddress({ variant, speed }: RatingKind): string {
  return `/ratings?${new URLSearchParams({ variant, speed }).toString()}`;
}
