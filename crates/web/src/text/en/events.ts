import type { AbortCause, Cause, Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import { list } from './amounts.ts';
import { aborts, colors, roles } from './game.ts';

/** What happened, one sentence an event. */
export const say = {
  move: (color: Color, role: RoleLetter, from: string, to: string) => `${colors[color]} ${roles[role]} ${from} to ${to}`,
  castles: (color: Color, side: 'short' | 'long') => `${colors[color]} castles ${side}`,
  takes: (color: Color, role: RoleLetter) => `takes ${colors[color].toLowerCase()} ${roles[role]}`,
  becomes: (role: RoleLetter) => `becomes ${roles[role]}`,
  check: (checked: readonly Color[], you: Color | null) =>
    `check to ${list(checked.map((color) => (color === you ? 'you' : colors[color])))}`,
  seated: (color: Color, name: string) => `${name} sits down as ${colors[color]}`,
  vacated: (color: Color) => `The ${colors[color].toLowerCase()} seat is free again`,
  host: (name: string) => `${name} is the host now`,
  rematchAgreed: (color: Color) => `${colors[color]} wants a rematch too`,
  rematched: 'The next match begins',
  closed: 'The table is closed',
  started: (color: Color) => `${colors[color]} begins`,
  out: (color: Color, cause: Cause) =>
    `${colors[color]} ${{ mate: 'is checkmated', resign: 'resigns', time: 'is out of time', absence: 'is removed for absence' }[cause]}`,
  takenBack: (plies: number) => (plies === 1 ? 'One move is taken back' : `${plies} moves are taken back`),
  paused: 'The match is paused',
  waiting: (color: Color) => `The match waits for ${colors[color]}`,
  resuming: (color: Color | null) =>
    color === null ? 'The pause is over: play goes on in ten seconds' : `${colors[color]} goes on: ten seconds from now`,
  resumed: 'Play goes on',
  stoodIn: (color: Color, name: string) => `${name} plays for ${colors[color]}, who is away`,
  returned: (color: Color) => `${colors[color]} is back and plays again`,
  aborted: (cause: AbortCause) => `The match is aborted: ${aborts[cause]}`,
};
