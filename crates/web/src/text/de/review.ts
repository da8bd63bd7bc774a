import type { Catalogue } from '../index.ts';
import { colors } from './game.ts';

export const review: Catalogue['review'] = {
  title: 'Partieanalyse',
  intro: 'Zeigt, wie sich die Chancen aller Spieler änderten und wo ein besserer Zug möglich war.',
  request: 'Partieanalyse anfordern',
  waiting: (ahead) =>
    ahead === 0 ? 'Wartet auf die Engine …' : ahead === 1 ? 'Wartet: 1 Partieanalyse kommt vorher' : `Wartet: ${ahead} Partieanalysen kommen vorher`,
  running: (done, of) => `Analysiert: ${done} von ${of} Zügen`,
  chances: 'Gewinnchancen',
  graph: (place, list) => `Verlauf der Gewinnchancen. ${place}: ${list}`,
  swings: 'Fehler und grobe Fehler',
  none: 'Keine Fehler gefunden.',
  kinds: { mistake: 'Fehler', blunder: 'Grober Fehler' },
  move: (ply, color, move) => `Zug ${ply}, ${colors[color]}: ${move}`,
  loss: (kind, percent) => `${kind}, −${percent}`,
  best: (line) => `Besser war ${line}`,
  thresholds: 'Ein Fehler kostet 10 Prozentpunkte der Gewinnchance, ein grober Fehler 15 oder mehr, wie bei lichess.',
};
