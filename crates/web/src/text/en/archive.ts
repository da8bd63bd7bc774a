import type { Variant } from '../../protocol/generated.ts';
import { variants } from './game.ts';

/** The list of matches, and the page about a player. */
export const archive = {
  title: 'Archive',
  tagline: 'Every match that was played here, to be replayed move by move.',
  filters: 'Which matches',
  allVariants: 'All games',
  everybody: 'Everybody',
  mine: 'Mine',
  player: 'A player’s name begins with',
  search: 'Search',
  anyPlayer: 'Any name',
  running: 'Being played',
  finalBoard: 'The board at the end',
  failed: 'The matches are not to be had just now.',
  again: 'Try again',
  loading: 'Looking for matches…',
  more: 'Show more',
  none: 'No match has been played here yet.',
  noneFiltered: 'No match fits.',
  showAll: 'Show all matches',
};

/** The page about a player. */
export const player = {
  since: (day: string) => `Here since ${day}`,
  you: 'This is you.',
  standings: 'Results',
  played: (count: number) => (count === 1 ? '1 match' : `${count} matches`),
  won: 'won',
  drawn: 'shared first',
  places: (variant: Variant, counts: string) => `Places in ${variants[variant].name}: ${counts}`,
  noneEnded: 'No match played to its end yet.',
  playing: 'Playing now',
  matches: 'Matches',
  all: 'All in the archive',
  missing: 'There is no such player',
  loading: 'Looking the player up…',
};
