import type { Variant } from '../../protocol/generated.ts';
import { variants } from './game.ts';

/** The list of matches. */
export const archive = {
  title: 'Archive',
  tagline: 'Replay the public matches of this server, move by move.',
  filters: 'Filters',
  allVariants: 'All variants',
  everybody: 'Everyone',
  mine: 'My matches',
  player: 'Player name starts with',
  search: 'Search',
  anyPlayer: 'Any name',
  running: 'Live',
  decisiveBoard: 'Decisive position',
  loadFailed: 'Matches could not be loaded.',
  tryAgain: 'Try again',
  loading: 'Loading matches…',
  showMore: 'Show more',
  none: 'No public matches yet.',
  noneFiltered: 'No matching games.',
  showAll: 'Show all matches',
};

/** The page about a player. */
export const player = {
  since: (day: string) => `Joined ${day}`,
  you: 'This is you',
  standings: 'Results',
  played: (count: number) => (count === 1 ? '1 match' : `${count} matches`),
  won: 'won',
  sharedFirst: 'shared 1st',
  places: (variant: Variant, counts: string) => `Places in ${variants[variant].name}: ${counts}`,
  noneEnded: 'No finished matches yet.',
  playing: 'Playing now',
  matches: 'Matches',
  all: 'All matches in the archive',
  notFound: 'Player not found',
  loading: 'Loading player…',
};
