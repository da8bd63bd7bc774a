import type { Catalogue } from '../index.ts';

export const analysis: Catalogue['analysis'] = {
  title: 'Analyse',
  loading: 'Das Brett wird aufgestellt …',
  source: 'Startstellung',
  paste: 'Stellung oder Partie',
  pasteHint: 'FEN, FEN4, PGN oder PGN4 einfügen, oder eine Datei hierher ziehen',
  read: 'Laden',
  openFile: 'Datei öffnen',
  moves: 'Züge',
  start: 'Anfang',
  noMoves: 'Zieh mit einer Figur der Farbe, die am Zug ist.',
  promote: 'Variante aufwerten',
  removeMove: 'Zug löschen',
  removeLine: 'Ab hier löschen',
  exportTitle: 'Exportieren',
  position: (format) => `Stellung (${format})`,
  link: 'Link zu dieser Stellung',
  copy: 'Kopieren',
  showLine: (format) => `Variante als ${format} zeigen`,
  copyLine: (format) => `${format} kopieren`,
  walk: 'Züge durchgehen',
  toEnd: 'Zum Ende der Variante',
  stopped: (line, column, word, why) =>
    `Die Partie konnte nicht bis zum Ende gelesen werden: Zeile ${line}, Spalte ${column}, „${word}“: ${why}`,
  moreGames: (count) => (count === 1 ? 'Der Text enthält noch eine Partie; das ist die erste.' : `Der Text enthält noch ${count} Partien; das ist die erste.`),
  result: (result) => `Ergebnis laut Datei: ${result}`,
};
