import type { Color, Variant } from '../../protocol/generated.ts';
import { colors, variants } from './game.ts';

/** The page one comes to first. */
export const lobby = {
  title: 'Lobby',
  headline: 'Chess for four',
  tagline: 'Take a color at a table, or watch one that is being played.',
  newTable: 'New table',
  quick: (variant: Variant) => `Play ${variants[variant].name} now`,
  yours: 'Your tables',
  open: 'Open tables',
  running: 'Being played',
  loading: 'Looking for tables…',
  noneOpen: 'No table is waiting for players. Make one, and it appears here for everybody.',
  noneRunning: 'Nothing is being played right now.',
  sit: (color: Color) => `Sit as ${colors[color]}`,
  watch: 'Watch',
  enter: 'Open',
  back: 'Go on playing',
  by: (name: string) => `by ${name}`,
  filled: (held: number, all: number) => `${held} of ${all} seats taken`,
  moves: (plies: number) => (plies === 1 ? '1 move' : `${plies} moves`),
  private: 'Private',
};

/** The dialog that makes a table. */
export const create = {
  title: 'New table',
  variant: 'Game',
  privacy: 'Who may join',
  public: 'Everybody',
  publicHint: 'Listed in the lobby',
  private: 'Only by link',
  privateHint: 'Seen by nobody else',
  seat: 'Your seat',
  noSeat: 'None',
  time: 'Clocks',
  none: 'None',
  fischer: 'Increment',
  delay: 'Delay',
  correspondence: 'Days',
  base: 'Minutes each',
  increment: 'Seconds added each move',
  delaySeconds: 'Seconds free each turn',
  days: 'Days each turn',
  more: 'More settings',
  setup: 'Start position (FEN or FEN4)',
  setupHint: 'Leave empty for the usual one',
  create: 'Make the table',
};
