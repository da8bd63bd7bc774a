import type { Color, TimeSetting, Variant } from '../../protocol/generated.ts';
import { list } from './amounts.ts';
import { colors, variants } from './game.ts';

/** The lobby. */
export const lobby = {
  title: 'Lobby',
  headline: 'Chess for four',
  tagline: 'Four armies, one cross-shaped board. The last king standing wins.',
  newTable: 'New table',
  playNow: (variant: Variant) => `Play ${variants[variant].name} now`,
  ownTables: 'Your tables',
  openTables: 'Open tables',
  runningMatches: 'Live now',
  moreMatches: 'More live matches',
  noLongerOpen: 'No longer open',
  viewTable: 'Look',
  oneScreen: 'Play on one device',
  fromArchive: 'Watch a past match',
  loading: 'Loading tables…',
  noneOpen: 'No one is waiting right now. Start a table!',
  noneRunning: 'No other live matches right now.',
  sit: (color: Color) => `Sit as ${colors[color]}`,
  watch: 'Watch',
  openTable: 'Open',
  resume: 'Resume',
  hostedBy: (name: string) => `by ${name}`,
  seatsTaken: (held: number, all: number) => `${held} of ${all} seats taken`,
  moves: (plies: number) => (plies === 1 ? '1 move' : `${plies} moves`),
  private: 'Private',
  moreTables: (hidden: number) => (hidden === 1 ? 'And 1 more table' : `And ${hidden} more tables`),
  loadFailed: 'The tables could not be loaded.',
};

/** The panel on the first page that starts a new game. */
export const playPanel = {
  game: 'Game',
  players: (count: number) => `${count} players`,
  computer: 'Play against the computer',
  computerHint: 'Starts at once',
  friends: 'Play with friends',
  friendsHint: 'Share one link',
  people: 'Find players',
  peopleHint: 'Take a seat, others join',
  rated: 'Rated match',
  learn: 'Learn in two minutes',
  online: (count: number) => (count === 1 ? '1 player online' : `${count} players online`),
  waiting: (count: number) => (count === 1 ? '1 table waiting' : `${count} tables waiting`),
  today: (count: number) => (count === 1 ? '1 match today' : `${count} matches today`),
};

/** The large board of the first page. */
export const showcase = {
  label: 'A match of four players',
  open: 'Watch this match',
  live: 'Live',
  recent: 'Recent match',
  demo: 'Match between bots',
  pause: 'Pause the replay',
  play: 'Play the replay',
};

/** The calls to a match from other pages. */
export const calls = {
  started: 'Your match has started',
  goToMatch: 'Go',
  inMatch: (variant: Variant, others: readonly string[]) => (others.length === 0 ? variants[variant].name : `${variants[variant].name} with ${list([...others])}`),
  more: (count: number) => `+${count} more`,
};

/** The offer to a user who has waited for players for a while. */
export const waitingOffer = {
  title: 'Still waiting for players?',
  hint: 'You keep your seat while you look around: when the match starts, we call you from every page.',
  fillWithBots: 'Fill with bots and start',
  join: (variant: Variant, taken: number, all: number) => `Join ${variants[variant].name} · ${taken} of ${all} seats taken`,
};

/** A common time control. */
interface Preset {
  readonly clock: TimeSetting['kind'];
  readonly base_minutes: number;
  readonly extra_seconds: number;
}

/** The dialog for a new table. */
export const newTableDialog = {
  title: 'New table',
  variant: 'Game',
  privacy: 'Who may join',
  public: 'Everyone',
  publicHint: 'Listed in the lobby',
  private: 'Only by link',
  privateHint: 'Not listed anywhere',
  seat: 'Your seat',
  randomSeat: 'Random',
  noSeat: 'None',
  time: 'Clocks',
  preset: ({ clock, base_minutes, extra_seconds }: Preset) =>
    ({ none: 'No clocks', correspondence: 'Days', fischer: `${base_minutes} + ${extra_seconds}`, delay: `${base_minutes} | ${extra_seconds}` })[clock],
  presetHint: ({ clock }: Preset) =>
    ({ none: 'Take your time', correspondence: 'per move', fischer: 'increment', delay: 'delay' })[clock],
  custom: 'Other',
  customHint: 'Your own',
  clockKind: 'Kind of clock',
  fischer: 'Increment',
  delay: 'Delay',
  base: 'Minutes per player',
  increment: 'Increment per move (seconds)',
  delaySeconds: 'Delay per move (seconds)',
  days: 'Days per move',
  casualHint: 'Just for fun',
  ratedHint: 'Changes your rating',
  minRating: 'Lowest rating',
  maxRating: 'Highest rating',
  anyRating: 'Any',
  /** The reasons why a table cannot be rated. */
  ratedObstacles: {
    account: 'Rated matches are for players with an account.',
    bots: 'Matches with bots are casual.',
    clocks: 'Rated matches need clocks.',
    hotseat: 'In a rated match each player has one seat.',
    setup: 'Rated matches begin from the standard position.',
  },
  more: 'More settings',
  setup: 'Start position (FEN or FEN4)',
  setupHint: 'Leave empty for the standard position',
  create: 'Create table',
};
