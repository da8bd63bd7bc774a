import type { Catalogue } from '../index.ts';

const BETTER = ['steht etwas besser', 'steht klar besser', 'steht auf Gewinn'];

export const engine: Catalogue['engine'] = {
  title: 'Engine',
  hint: 'Was die Engine des Servers von dieser Stellung hält.',
  looking: 'Rechnet …',
  over: 'Hier ist die Partie zu Ende.',
  unknown: 'Chancen noch nicht bekannt',
  even: 'Ausgeglichen',
  better: (color, degree) => `${color} ${BETTER[degree - 1] ?? 'steht besser'}`,
  ahead: (color, percent) => `${color} liegt vorn: ${percent}`,
  mates: (color, moves) => `${color} setzt matt in ${moves}`,
  chance: (color, percent) => `${color} ${percent}`,
  chances: (list) => `Chancen: ${list}`,
  depth: (plies) => `Tiefe ${plies}`,
  best: (move) => `Bester Zug ${move}`,
  say: 'Stand ansagen',
};
