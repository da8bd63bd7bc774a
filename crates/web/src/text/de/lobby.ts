import type { Catalogue } from '../index.ts';
import { list } from './amounts.ts';
import { colors, variants } from './game.ts';

export const lobby: Catalogue['lobby'] = {
  title: 'Lobby',
  headline: 'Schach zu viert',
  tagline: 'Vier Armeen, ein Brett in Kreuzform. Der letzte König gewinnt.',
  newTable: 'Neuer Tisch',
  playNow: (variant) => `${variants[variant].name} sofort spielen`,
  ownTables: 'Deine Tische',
  openTables: 'Offene Tische',
  runningMatches: 'Läuft gerade',
  moreMatches: 'Weitere laufende Partien',
  noLongerOpen: 'Wartet nicht mehr auf Spieler',
  viewTable: 'Ansehen',
  oneScreen: 'An einem Gerät spielen',
  fromArchive: 'Eine frühere Partie ansehen',
  loading: 'Tische werden geladen …',
  noneOpen: 'Gerade wartet niemand. Eröffne einen Tisch!',
  noneRunning: 'Gerade läuft keine andere Partie.',
  sit: (color) => `Als ${colors[color]} hinsetzen`,
  watch: 'Zuschauen',
  openTable: 'Öffnen',
  resume: 'Weiterspielen',
  hostedBy: (name) => `von ${name}`,
  seatsTaken: (held, all) => `${held} von ${all} Plätzen besetzt`,
  moves: (plies) => (plies === 1 ? '1 Zug' : `${plies} Züge`),
  private: 'Privat',
  moreTables: (hidden) => (hidden === 1 ? 'Und 1 weiterer Tisch' : `Und ${hidden} weitere Tische`),
  loadFailed: 'Die Tische konnten nicht geladen werden.',
};

export const playPanel: Catalogue['playPanel'] = {
  game: 'Spiel',
  players: (count) => `${count} Spieler`,
  computer: 'Gegen den Computer',
  computerHint: 'Beginnt sofort',
  friends: 'Mit Freunden spielen',
  friendsHint: 'Ein Link für alle',
  people: 'Mitspieler finden',
  peopleHint: 'Setz dich, andere kommen dazu',
  rated: 'Partie mit Wertung',
  learn: 'In zwei Minuten lernen',
  online: (count) => `${count} Spieler online`,
  waiting: (count) => (count === 1 ? '1 Tisch wartet' : `${count} Tische warten`),
  today: (count) => (count === 1 ? '1 Partie heute' : `${count} Partien heute`),
};

export const showcase: Catalogue['showcase'] = {
  label: 'Eine Partie zu viert',
  open: 'Bei dieser Partie zusehen',
  live: 'Läuft',
  recent: 'Frühere Partie',
  demo: 'Partie zwischen Bots',
  pause: 'Wiedergabe anhalten',
  play: 'Wiedergabe fortsetzen',
};

export const calls: Catalogue['calls'] = {
  started: 'Deine Partie hat begonnen',
  goToMatch: 'Öffnen',
  inMatch: (variant, others) => (others.length === 0 ? variants[variant].name : `${variants[variant].name} mit ${list([...others])}`),
  more: (count) => `+${count} weitere`,
};

export const waitingOffer: Catalogue['waitingOffer'] = {
  title: 'Immer noch keine Mitspieler?',
  hint: 'Dein Platz bleibt dir, während du dich umsiehst: Wenn die Partie beginnt, rufen wir dich von jeder Seite.',
  fillWithBots: 'Mit Bots auffüllen und starten',
  join: (variant, taken, all) => `${variants[variant].name} mitspielen · ${taken} von ${all} Plätzen besetzt`,
};

export const newTableDialog: Catalogue['newTableDialog'] = {
  title: 'Neuer Tisch',
  variant: 'Spiel',
  privacy: 'Wer kann mitspielen?',
  public: 'Alle',
  publicHint: 'Steht in der Lobby',
  private: 'Nur mit Link',
  privateHint: 'Sonst sieht ihn niemand',
  seat: 'Dein Platz',
  randomSeat: 'Zufällig',
  noSeat: 'Keiner',
  time: 'Uhren',
  preset: ({ clock, base_minutes, extra_seconds }) =>
    ({ none: 'Keine Uhren', correspondence: 'Tage', fischer: `${base_minutes} + ${extra_seconds}`, delay: `${base_minutes} | ${extra_seconds}` })[clock],
  presetHint: ({ clock }) =>
    ({ none: 'Ganz in Ruhe', correspondence: 'je Zug', fischer: 'Zuschlag', delay: 'Verzögerung' })[clock],
  custom: 'Andere',
  customHint: 'Eigene Zeiten',
  clockKind: 'Art der Uhr',
  fischer: 'Zuschlag',
  delay: 'Verzögerung',
  base: 'Minuten je Spieler',
  increment: 'Zuschlag je Zug (Sekunden)',
  delaySeconds: 'Verzögerung je Zug (Sekunden)',
  days: 'Tage je Zug',
  casualHint: 'Nur zum Spaß',
  ratedHint: 'Zählt für die Wertung',
  minRating: 'Niedrigste Wertung',
  maxRating: 'Höchste Wertung',
  anyRating: 'Beliebig',
  ratedObstacles: {
    account: 'Partien mit Wertung sind für Spieler mit Konto.',
    bots: 'Partien mit Bots zählen nicht für die Wertung.',
    clocks: 'Partien mit Wertung brauchen Uhren.',
    hotseat: 'In einer Partie mit Wertung hat jeder Spieler einen Platz.',
    setup: 'Partien mit Wertung beginnen in der normalen Startstellung.',
  },
  more: 'Weitere Einstellungen',
  setup: 'Startstellung (FEN oder FEN4)',
  setupHint: 'Leer lassen für die normale Startstellung',
  create: 'Tisch eröffnen',
};
