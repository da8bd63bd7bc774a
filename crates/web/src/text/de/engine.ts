import type { Catalogue } from '../index.ts';
import { colors } from './game.ts';

const BETTER = ['steht etwas besser', 'steht klar besser', 'steht auf Gewinn'];

export const engine: Catalogue['engine'] = {
  title: 'Computerbewertung',
  hint: 'Bewertung durch die Engine des Servers.',
  analyzing: 'Rechnet …',
  gameOver: 'Die Partie ist zu Ende.',
  unknown: 'Noch keine Bewertung',
  even: 'Ausgeglichen',
  isBetter: (color, degree) => `${colors[color]} ${BETTER[degree - 1] ?? 'steht besser'}`,
  leads: (color, percent) => `${colors[color]} führt: ${percent} Gewinnchance`,
  matesIn: (color, moves) => `${colors[color]} setzt matt in ${moves}`,
  chance: (color, percent) => `${colors[color]} ${percent}`,
  chances: (list) => `Gewinnchancen: ${list}`,
  depth: (plies) => `Tiefe ${plies}`,
  bestMove: (move) => `Bester Zug ${move}`,
  readAloud: 'Bewertung vorlesen',
};
