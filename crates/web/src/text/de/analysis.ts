import type { Catalogue } from '../index.ts';

export const analysis: Catalogue['analysis'] = {
  title: 'Analyse',
  loading: 'Das Brett wird aufgestellt …',
  source: 'Ausgangspunkt',
  paste: 'Eine Stellung oder eine Partie',
  pasteHint: 'FEN, FEN4, PGN oder PGN4 einfügen, oder eine Datei hierher ziehen',
  read: 'Zeigen',
  openFile: 'Datei öffnen',
  moves: 'Versuchte Züge',
  start: 'Anfang',
  noMoves: 'Zieh mit einer Figur der Farbe, die am Zug ist.',
  promote: 'Diese Variante nach vorn',
  removeMove: 'Diesen Zug löschen',
  removeLine: 'Ab hier löschen',
  carry: 'Mitnehmen',
  position: (format) => `Stellung (${format})`,
  link: 'Link zu dieser Stellung',
  copy: 'Kopieren',
  showLine: (format) => `Variante als ${format} zeigen`,
  copyLine: (format) => `${format} kopieren`,
  walk: 'Durch die Züge gehen',
  toEnd: 'Zum Ende der Variante',
  stopped: (line, column, word, why) =>
    `Der Partie war nicht bis zum Ende zu folgen: Zeile ${line}, Spalte ${column}, „${word}“: ${why}`,
  moreGames: (count) => (count === 1 ? 'Der Text enthält noch eine Partie; das ist die erste.' : `Der Text enthält noch ${count} Partien; das ist die erste.`),
  result: (result) => `Ergebnis laut Text: ${result}`,
};
