import type { Color } from '../../protocol/generated.ts';
import { colors } from './game.ts';

/** The degrees of an advantage with two players. */
const BETTER = ['slightly better', 'clearly better', 'winning'];

/** The engine's analysis of a position. */
export const engine = {
  title: 'Computer evaluation',
  hint: 'Evaluation by the server’s engine.',
  analyzing: 'Analyzing…',
  gameOver: 'The game is over.',
  unknown: 'No evaluation yet',
  even: 'Even',
  /** The degree is from 1 to 3. */
  isBetter: (color: Color, degree: number) => `${colors[color]} is ${BETTER[degree - 1] ?? 'better'}`,
  leads: (color: Color, percent: string) => `${colors[color]} leads: ${percent} chance to win`,
  matesIn: (color: Color, moves: number) => `${colors[color]} mates in ${moves}`,
  chance: (color: Color, percent: string) => `${colors[color]} ${percent}`,
  chances: (list: string) => `Chances to win: ${list}`,
  depth: (plies: number) => `Depth ${plies}`,
  bestMove: (move: string) => `Best move ${move}`,
  readAloud: 'Read evaluation',
};
