import type { Catalogue } from '../index.ts';

const BETTER = ['steht etwas besser', 'steht klar besser', 'steht auf Gewinn'];

export const engine: Catalogue['engine'] = {
  title: 'Computerbewertung',
  hint: 'Bewertung durch die Engine des Servers.',
  looking: 'Rechnet …',
  over: 'Die Partie ist zu Ende.',
  unknown: 'Noch keine Bewertung',
  even: 'Ausgeglichen',
  better: (color, degree) => `${color} ${BETTER[degree - 1] ?? 'steht besser'}`,
  ahead: (color, percent) => `${color} führt: ${percent} Gewinnchance`,
  mates: (color, moves) => `${color} setzt matt in ${moves}`,
  chance: (color, percent) => `${color} ${percent}`,
  chances: (list) => `Gewinnchancen: ${list}`,
  depth: (plies) => `Tiefe ${plies}`,
  best: (move) => `Bester Zug ${move}`,
  say: 'Bewertung vorlesen',
};
