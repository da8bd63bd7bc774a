import type { Cause, Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import { withFallback } from '../with-fallback.ts';
import { day, list } from './amounts.ts';
import { colors, roles } from './game.ts';

const out = withFallback<Cause, string>(
  { mate: 'had no way out: its army leaves the board', resign: 'resigns', time: 'runs out of time', absence: 'is eliminated: disconnected' },
  'is eliminated',
);

/** The events, one sentence each. */
export const events = {
  move: (color: Color, role: RoleLetter, from: string, to: string) => `${colors[color]} ${roles[role]} ${from} to ${to}`,
  castles: (color: Color, side: 'short' | 'long') => `${colors[color]} castles ${side}`,
  captures: (color: Color, role: RoleLetter) => `captures ${colors[color].toLowerCase()} ${roles[role]}`,
  promotes: (role: RoleLetter) => `promotes to ${roles[role]}`,
  check: (checked: readonly Color[], you: Color | null) =>
    `check to ${list(checked.map((color) => (color === you ? 'you' : colors[color])))}`,
  seated: (color: Color, name: string) => `${name} plays ${colors[color]}`,
  vacated: (color: Color) => `The ${colors[color].toLowerCase()} seat is open again`,
  host: (name: string) => `${name} is now the host`,
  rematchAgreed: (color: Color) => `${colors[color]} wants a rematch too`,
  rematched: 'The next match starts',
  closed: 'The table is closed',
  closedByModerator: (reason: string) => `A moderator closed the table: ${reason}`,
  started: (color: Color) => `${colors[color]} moves first`,
  eliminated: (color: Color, cause: Cause) =>
    `${colors[color]} ${out[cause]}`,
  takenBack: (plies: number) => (plies === 1 ? 'One move taken back' : `${plies} moves taken back`),
  paused: 'The match is paused',
  waiting: (color: Color) => `Waiting for ${colors[color]}`,
  resuming: (color: Color | null) =>
    color === null ? 'The pause is over; play resumes in 10 s' : `${colors[color]} resumed play; starting in 10 s`,
  resumed: 'Play resumed',
  vacationStarted: (color: Color, until_ms: number) => `${colors[color]} is on vacation until ${day(until_ms)}`,
  vacationEnded: (color: Color) => `${colors[color]} is back from vacation`,
  stoodIn: (color: Color, name: string) => `${name} takes over for ${colors[color]}`,
  returned: (color: Color) => `${colors[color]} is back`,
  aborted: (reason: string) => `Aborted: ${reason}`,
  noFirstMove: (color: Color) => `${colors[color]} did not make a first move in time`,
};
