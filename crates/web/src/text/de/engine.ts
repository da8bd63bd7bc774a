import type { Catalogue } from '../index.ts';
import { colors } from './game.ts';

const BETTER = ['steht etwas besser', 'steht klar besser', 'steht auf Gewinn'];

export const engine: Catalogue['engine'] = {
  title: 'Computerbewertung',
  hint: 'Bewertung durch die Engine des Servers.',
  looking: 'Rechnet …',
  over: 'Die Partie ist zu Ende.',
  unknown: 'Noch keine Bewertung',
  even: 'Ausgeglichen',
  better: (color, degree) => `${colors[color]} ${BETTER[degree - 1] ?? 'steht besser'}`,
  ahead: (color, percent) => `${colors[color]} führt: ${percent} Gewinnchance`,
  mates: (color, moves) => `${colors[color]} setzt matt in ${moves}`,
  chance: (color, percent) => `${colors[color]} ${percent}`,
  chances: (list) => `Gewinnchancen: ${list}`,
  depth: (plies) => `Tiefe ${plies}`,
  best: (move) => `Bester Zug ${move}`,
  say: 'Bewertung vorlesen',
};
