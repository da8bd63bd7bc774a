import type { Color } from '../../protocol/generated.ts';
import { colors } from './game.ts';

/** The degrees of an advantage with two players. */
const BETTER = ['slightly better', 'clearly better', 'winning'];

/** The engine's analysis of a position. */
export const engine = {
  title: 'Computer evaluation',
  hint: 'Evaluation by the server’s engine.',
  looking: 'Analyzing…',
  over: 'The game is over.',
  unknown: 'No evaluation yet',
  even: 'Even',
  /** The degree is from 1 to 3. */
  better: (color: Color, degree: number) => `${colors[color]} is ${BETTER[degree - 1] ?? 'better'}`,
  ahead: (color: Color, percent: string) => `${colors[color]} leads: ${percent} chance to win`,
  mates: (color: Color, moves: number) => `${colors[color]} mates in ${moves}`,
  chance: (color: Color, percent: string) => `${colors[color]} ${percent}`,
  chances: (list: string) => `Chances to win: ${list}`,
  depth: (plies: number) => `Depth ${plies}`,
  best: (move: string) => `Best move ${move}`,
  say: 'Read evaluation',
};
