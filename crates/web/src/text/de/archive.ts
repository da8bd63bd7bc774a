import type { Catalogue } from '../index.ts';
import { variants } from './game.ts';

export const archive: Catalogue['archive'] = {
  title: 'Archiv',
  tagline: 'Alle Partien, die hier gespielt wurden, Zug für Zug zum Nachspielen.',
  filters: 'Welche Partien',
  allVariants: 'Alle Spiele',
  everybody: 'Alle Spieler',
  mine: 'Meine',
  player: 'Ein Spielername beginnt mit',
  search: 'Suchen',
  anyPlayer: 'Jeder Name',
  running: 'Läuft gerade',
  finalBoard: 'Das Brett am Ende',
  failed: 'Die Partien sind gerade nicht zu bekommen.',
  again: 'Noch einmal',
  loading: 'Partien werden gesucht …',
  more: 'Mehr zeigen',
  none: 'Hier wurde noch keine Partie gespielt.',
  noneFiltered: 'Keine Partie passt.',
  showAll: 'Alle Partien zeigen',
};

export const player: Catalogue['player'] = {
  since: (day) => `Hier seit ${day}`,
  you: 'Das bist du.',
  standings: 'Ergebnisse',
  played: (count) => (count === 1 ? '1 Partie' : `${count} Partien`),
  won: 'gewonnen',
  drawn: 'geteilter Erster',
  places: (variant, counts) => `Plätze in ${variants[variant].name}: ${counts}`,
  noneEnded: 'Noch keine Partie zu Ende gespielt.',
  playing: 'Spielt gerade',
  matches: 'Partien',
  all: 'Alle im Archiv',
  missing: 'Diesen Spieler gibt es nicht',
  loading: 'Der Spieler wird gesucht …',
};
