import type { Catalogue } from '../index.ts';
import { colors, The } from './game.ts';

/** The degrees of an advantage with two players. */
const BETTER = ['están algo mejor', 'están claramente mejor', 'tienen ventaja decisiva'];

export const engine: Catalogue['engine'] = {
  title: 'Evaluación del motor',
  hint: 'Evaluación del motor del servidor.',
  analyzing: 'Analizando…',
  gameOver: 'La partida ha terminado.',
  unknown: 'Aún sin evaluación',
  even: 'Igualada',
  isBetter: (color, degree) => `${The(color)} ${BETTER[degree - 1] ?? 'están mejor'}`,
  leads: (color, percent) => `${The(color)} van por delante: ${percent} de ganar`,
  matesIn: (color, moves) => `${The(color)} dan mate en ${moves}`,
  chance: (color, percent) => `${colors[color].toLowerCase()} ${percent}`,
  chances: (list) => `Probabilidad de ganar: ${list}`,
  depth: (plies) => `Profundidad ${plies}`,
  bestMove: (move) => `Mejor jugada ${move}`,
  readAloud: 'Leer la evaluación',
};
