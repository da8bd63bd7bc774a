import type { UserView } from '../../protocol/generated.ts';
import type { TableChoices } from './table-choices.ts';

/** The reasons why a table cannot be rated. */
export type RatedObstacle = 'account' | 'bots' | 'clocks' | 'hotseat' | 'setup';

/** Returns the reason why a table with these choices cannot be rated, or `null` if it can be. */
export function ratedObstacle(choices: TableChoices, user: UserView | null): RatedObstacle | null {
  if (user?.account !== true) return 'account';
  if (choices.bots !== null) return 'bots';
  if (choices.clock === 'none') return 'clocks';
  if (choices.privacy === 'private' && choices.hotseat) return 'hotseat';
  return choices.setup.trim() === '' ? null : 'setup';
}

/**
 * Returns the choices as the table will have them. The table is casual if it cannot be rated. At a
 * rated table, a player who stays away is eliminated.
 */
export function withPossibleRating(choices: TableChoices, user: UserView | null): TableChoices {
  if (!choices.rated) return choices;
  return ratedObstacle(choices, user) === null ? { ...choices, absence: 'eliminate' } : { ...choices, rated: false };
}

/**
 * Returns the choices with or without ratings. The chat of a rated table has preset phrases only,
 * unless chosen otherwise afterwards.
 */
export function withRating(choices: TableChoices, rated: boolean): TableChoices {
  return rated === choices.rated ? choices : { ...choices, rated, chat: rated ? 'phrases' : 'on' };
}
