import type { UserView } from '../../protocol/generated.ts';
import type { TableChoices } from './table-choices.ts';

/** The reasons why a table cannot be rated. */
export type RatedObstacle = 'account' | 'wait' | 'bots' | 'clocks' | 'hotseat' | 'setup';

/**
 * Returns the reason why a table with these choices cannot be rated, or `null` if it can be.
 * `mustWait` is set if the user has left rated matches and has to wait for the next one.
 */
export function ratedObstacle(choices: TableChoices, user: UserView | null, mustWait = false): RatedObstacle | null {
  if (user?.account !== true) return 'account';
  if (mustWait && choices.seat !== null) return 'wait';
  if (choices.bots !== null) return 'bots';
  if (choices.clock === 'none') return 'clocks';
  if (choices.privacy === 'private' && choices.hotseat) return 'hotseat';
  return choices.setup.trim() === '' ? null : 'setup';
}

/**
 * Returns the choices as the table will have them. The table is casual if it cannot be rated. At a
 * rated table, a player who stays away is eliminated.
 */
export function withPossibleRating(choices: TableChoices, user: UserView | null, mustWait = false): TableChoices {
  if (!choices.rated) return choices;
  return ratedObstacle(choices, user, mustWait) === null ? { ...choices, absence: 'eliminate' } : { ...choices, rated: false };
}

/**
 * Returns the choices with or without ratings. The chat of a rated table has preset phrases only,
 * unless chosen otherwise afterwards.
 */
export function withRating(choices: TableChoices, rated: boolean): TableChoices {
  return rated === choices.rated ? choices : { ...choices, rated, chat: rated ? 'phrases' : 'on' };
}

/** The ratings that the dialog for a new table offers as limits. */
export const RATING_LIMITS: readonly number[] = Array.from({ length: 17 }, (_, index) => 800 + 100 * index);

/** Returns the choices with another lowest rating. A highest rating below it is raised to it. */
export function withMinRating(choices: TableChoices, min: number | null): TableChoices {
  const { max_rating } = choices;
  return { ...choices, min_rating: min, max_rating: min !== null && max_rating !== null && max_rating < min ? min : max_rating };
}

/** Returns the choices with another highest rating. A lowest rating above it is lowered to it. */
export function withMaxRating(choices: TableChoices, max: number | null): TableChoices {
  const { min_rating } = choices;
  return { ...choices, max_rating: max, min_rating: max !== null && min_rating !== null && min_rating > max ? max : min_rating };
}
