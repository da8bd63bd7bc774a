import type { Catalogue } from '../index.ts';
import { variants } from './game.ts';

export const archive: Catalogue['archive'] = {
  title: 'Archiv',
  tagline: 'Die öffentlichen Partien dieses Servers, Zug für Zug zum Nachspielen.',
  filters: 'Filter',
  allVariants: 'Alle Varianten',
  everybody: 'Alle Spieler',
  mine: 'Meine Partien',
  player: 'Spielername beginnt mit',
  search: 'Suchen',
  anyPlayer: 'Jeder Name',
  running: 'Läuft gerade',
  decisiveBoard: 'Entscheidende Stellung',
  loadFailed: 'Die Partien konnten nicht geladen werden.',
  tryAgain: 'Noch einmal',
  loading: 'Partien werden geladen …',
  showMore: 'Mehr zeigen',
  none: 'Noch keine öffentlichen Partien.',
  noneFiltered: 'Keine Partie passt.',
  showAll: 'Alle Partien zeigen',
};

export const player: Catalogue['player'] = {
  since: (day) => `Dabei seit ${day}`,
  you: 'Das bist du',
  standings: 'Ergebnisse',
  played: (count) => (count === 1 ? '1 Partie' : `${count} Partien`),
  won: 'gewonnen',
  sharedFirst: 'geteilter Erster',
  places: (variant, counts) => `Plätze in ${variants[variant].name}: ${counts}`,
  noneEnded: 'Noch keine beendeten Partien.',
  playing: 'Spielt gerade',
  matches: 'Partien',
  all: 'Alle im Archiv',
  notFound: 'Diesen Spieler gibt es nicht',
  loading: 'Spieler wird geladen …',
};
