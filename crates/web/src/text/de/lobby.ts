import type { Catalogue } from '../index.ts';
import { list } from './amounts.ts';
import { colors, variants } from './game.ts';

export const lobby: Catalogue['lobby'] = {
  title: 'Lobby',
  headline: 'Schach zu viert',
  tagline: 'Setz dich mit einer Farbe an einen Tisch, oder sieh bei einer Partie zu.',
  newTable: 'Neuer Tisch',
  quick: (variant) => `${variants[variant].name} sofort spielen`,
  yours: 'Deine Tische',
  open: 'Offene Tische',
  live: 'Läuft gerade',
  moreRunning: 'Weitere laufende Partien',
  goneTable: 'Wartet nicht mehr auf Spieler',
  look: 'Ansehen',
  quiet: 'Noch wartet niemand an einem Tisch. Fang an!',
  makeOne: 'Einen Tisch eröffnen',
  makeOneHint: 'Er erscheint hier für alle; oder schick Freunden den Link.',
  oneScreen: 'An einem Gerät spielen',
  oneScreenHint: 'Zu viert um diesen Bildschirm; das Brett kann sich drehen.',
  fromArchive: 'Eine frühere Partie ansehen',
  fromArchiveHint: 'Jede beendete Partie Zug für Zug nachspielen.',
  loading: 'Tische werden geladen …',
  noneOpen: 'Kein Tisch wartet auf Spieler. Eröffne einen, dann steht er hier für alle.',
  noneRunning: 'Gerade wird nicht gespielt.',
  sit: (color) => `Als ${colors[color]} hinsetzen`,
  watch: 'Zuschauen',
  enter: 'Öffnen',
  back: 'Weiterspielen',
  by: (name) => `von ${name}`,
  filled: (held, all) => `${held} von ${all} Plätzen besetzt`,
  moves: (plies) => (plies === 1 ? '1 Zug' : `${plies} Züge`),
  private: 'Privat',
  more: (hidden) => (hidden === 1 ? 'Und 1 weiterer Tisch' : `Und ${hidden} weitere Tische`),
  moreFailed: 'Die Tische konnten nicht geladen werden.',
};

export const calls: Catalogue['calls'] = {
  started: 'Deine Partie hat begonnen',
  go: 'Hin',
  at: (variant, others) => (others.length === 0 ? variants[variant].name : `${variants[variant].name} mit ${list([...others])}`),
  more: (count) => `+${count} weitere`,
};

export const waiting: Catalogue['waiting'] = {
  title: 'Immer noch keine Mitspieler?',
  hint: 'Dein Platz bleibt dir, während du dich umsiehst: Wenn die Partie beginnt, rufen wir dich von jeder Seite.',
  bots: 'Mit Bots auffüllen und starten',
  join: (variant, taken, all) => `${variants[variant].name} mitspielen · ${taken} von ${all} Plätzen besetzt`,
};

export const create: Catalogue['create'] = {
  title: 'Neuer Tisch',
  variant: 'Spiel',
  privacy: 'Wer kann mitspielen?',
  public: 'Alle',
  publicHint: 'Steht in der Lobby',
  private: 'Nur mit Link',
  privateHint: 'Sonst sieht ihn niemand',
  seat: 'Dein Platz',
  noSeat: 'Keiner',
  time: 'Uhren',
  none: 'Keine',
  fischer: 'Zuschlag',
  delay: 'Verzögerung',
  correspondence: 'Tage',
  base: 'Minuten je Spieler',
  increment: 'Zuschlag je Zug (Sekunden)',
  delaySeconds: 'Verzögerung je Zug (Sekunden)',
  days: 'Tage je Zug',
  more: 'Weitere Einstellungen',
  setup: 'Startstellung (FEN oder FEN4)',
  setupHint: 'Leer lassen für die normale Startstellung',
  create: 'Tisch eröffnen',
};
