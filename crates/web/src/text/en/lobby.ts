import type { Color, Variant } from '../../protocol/generated.ts';
import { list } from './amounts.ts';
import { colors, variants } from './game.ts';

/** The lobby. */
export const lobby = {
  title: 'Lobby',
  headline: 'Chess for four',
  tagline: 'Pick a color and play, or watch a game in progress.',
  newTable: 'New table',
  quick: (variant: Variant) => `Play ${variants[variant].name} now`,
  yours: 'Your tables',
  open: 'Open tables',
  live: 'Live now',
  moreRunning: 'More live matches',
  goneTable: 'No longer open',
  look: 'Look',
  quiet: 'No one is waiting right now. Start a table!',
  makeOne: 'Start a table',
  makeOneHint: 'List it here for everyone, or send friends the link.',
  oneScreen: 'Play on one device',
  oneScreenHint: 'Four people around one screen; the board can turn.',
  fromArchive: 'Watch a past match',
  fromArchiveHint: 'Replay any finished match move by move.',
  loading: 'Loading tables…',
  noneOpen: 'No table is waiting for players. Start one, and it is listed here for everyone.',
  noneRunning: 'No match is being played right now.',
  sit: (color: Color) => `Sit as ${colors[color]}`,
  watch: 'Watch',
  enter: 'Open',
  back: 'Resume',
  by: (name: string) => `by ${name}`,
  filled: (held: number, all: number) => `${held} of ${all} seats taken`,
  moves: (plies: number) => (plies === 1 ? '1 move' : `${plies} moves`),
  private: 'Private',
  more: (hidden: number) => (hidden === 1 ? 'And 1 more table' : `And ${hidden} more tables`),
  moreFailed: 'The tables could not be loaded.',
};

/** The calls to a match from other pages. */
export const calls = {
  started: 'Your match has started',
  go: 'Go',
  at: (variant: Variant, others: readonly string[]) => (others.length === 0 ? variants[variant].name : `${variants[variant].name} with ${list([...others])}`),
  more: (count: number) => `+${count} more`,
};

/** The offer to a user who waits for players. */
export const waiting = {
  title: 'Still waiting for players?',
  hint: 'You keep your seat while you look around: when the match starts, we call you from every page.',
  bots: 'Fill with bots and start',
  join: (variant: Variant, taken: number, all: number) => `Join ${variants[variant].name} · ${taken} of ${all} seats taken`,
};

/** The dialog for a new table. */
export const create = {
  title: 'New table',
  variant: 'Game',
  privacy: 'Who may join',
  public: 'Everyone',
  publicHint: 'Listed in the lobby',
  private: 'Only by link',
  privateHint: 'Not listed anywhere',
  seat: 'Your seat',
  noSeat: 'None',
  time: 'Clocks',
  none: 'None',
  fischer: 'Increment',
  delay: 'Delay',
  correspondence: 'Days',
  base: 'Minutes per player',
  increment: 'Increment per move (seconds)',
  delaySeconds: 'Delay per move (seconds)',
  days: 'Days per move',
  more: 'More settings',
  setup: 'Start position (FEN or FEN4)',
  setupHint: 'Leave empty for the standard position',
  create: 'Create table',
};
