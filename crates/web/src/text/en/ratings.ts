import type { Speed, Variant } from '../../protocol/generated.ts';
import { pluralForms } from '../plural.ts';
import { withFallback } from '../with-fallback.ts';
import { number } from './amounts.ts';
import { variants } from './game.ts';

const form = pluralForms('en');

/** The names of the speeds. */
const speeds = withFallback<Speed, string>(
  {
    bullet: 'Bullet',
    blitz: 'Blitz',
    rapid: 'Rapid',
    classical: 'Classical',
    correspondence: 'Correspondence',
  },
  'Other',
);

/** The leaderboards, and the ratings of a player. */
export const ratings = {
  title: 'Leaderboard',
  tagline: 'The best players of each game, at each speed.',
  filters: 'Game and speed',
  speeds,
  kind: (variant: Variant, speed: Speed) => `${variants[variant].name} · ${speeds[speed]}`,
  rank: 'Rank',
  player: 'Player',
  rating: 'Rating',
  matches: 'Matches',
  you: 'You',
  provisional: 'Provisional: the player has played too few rated matches lately.',
  none: 'No one has made it onto this leaderboard yet.',
  rule: (count: number) => `Players with at least ${count} rated matches and an established rating are listed.`,
  missingMatches: (count: number) => form(count, { one: 'You are 1 rated match away from being listed.', other: `You are ${count} rated matches away from being listed.` }),
  stillProvisional: 'Your rating is still provisional. Play more rated matches to be listed.',
  notAmongBest: (count: number) => `Only the ${count} best players are listed.`,
  unrated: 'You have no rating here yet. To get one, choose “Rated” for a new table.',
  onlyAccounts: 'Only players with an account have ratings.',
  loading: 'Loading ratings…',
  section: 'Ratings',
  game: 'Game',
  best: 'Best',
  show: (name: string) => `Show the history: ${name}`,
  history: (name: string) => `Rating history: ${name}`,
  chart: (from: string, to: string, lowest: string, highest: string, count: number) =>
    form(count, {
      one: `${to} after 1 rated match.`,
      other: `From ${from} to ${to} in ${number(count)} rated matches. Lowest ${lowest}, highest ${highest}.`,
    }),
  asTable: 'Show as a table',
  date: 'Date',
  change: 'Change',
  after: (rating: number) => `Rating after the match: ${rating}`,
  expectedPlaces: 'Ratings and expected places',
  toLeaderboard: 'To the leaderboard',
};
