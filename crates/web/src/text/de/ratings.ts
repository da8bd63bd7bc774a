import type { Speed } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';
import { withFallback } from '../with-fallback.ts';
import { number } from './amounts.ts';
import { variants } from './game.ts';

const form = pluralForms('de');

const speeds = withFallback<Speed, string>(
  {
    bullet: 'Bullet',
    blitz: 'Blitz',
    rapid: 'Schnellschach',
    classical: 'Klassisch',
    correspondence: 'Fernschach',
  },
  'Anderes',
);

export const ratings: Catalogue['ratings'] = {
  title: 'Bestenliste',
  tagline: 'Die besten Spieler jedes Spiels, bei jedem Tempo.',
  filters: 'Spiel und Tempo',
  speeds,
  kind: (variant, speed) => `${variants[variant].name} · ${speeds[speed]}`,
  rank: 'Rang',
  player: 'Spieler',
  rating: 'Wertung',
  matches: 'Partien',
  you: 'Du',
  provisional: 'Vorläufig: Der Spieler hat zuletzt zu wenige gewertete Partien gespielt.',
  none: 'In dieser Bestenliste steht noch niemand.',
  rule: (count) => `Hier stehen Spieler mit mindestens ${count} gewerteten Partien und gesicherter Wertungszahl.`,
  missingMatches: (count) => form(count, { one: 'Dir fehlt noch 1 gewertete Partie, um hier zu stehen.', other: `Dir fehlen noch ${count} gewertete Partien, um hier zu stehen.` }),
  stillProvisional: 'Deine Wertungszahl ist noch vorläufig. Spiele weitere gewertete Partien, um hier zu stehen.',
  notAmongBest: (count) => `Hier stehen nur die ${count} besten Spieler.`,
  unrated: 'Du hast hier noch keine Wertungszahl. Wähle bei einem neuen Tisch „Mit Wertung“, um eine zu bekommen.',
  onlyAccounts: 'Nur Spieler mit Konto haben Wertungszahlen.',
  loading: 'Wertungszahlen werden geladen …',
  section: 'Wertungszahlen',
  game: 'Spiel',
  best: 'Bestwert',
  show: (name) => `Verlauf zeigen: ${name}`,
  history: (name) => `Verlauf der Wertungszahl: ${name}`,
  chart: (from, to, lowest, highest, count) =>
    form(count, {
      one: `${to} nach einer gewerteten Partie.`,
      other: `Von ${from} auf ${to} in ${number(count)} gewerteten Partien. Tiefstwert ${lowest}, Höchstwert ${highest}.`,
    }),
  asTable: 'Als Tabelle zeigen',
  date: 'Datum',
  change: 'Änderung',
  after: (rating) => `Wertung nach der Partie: ${rating}`,
  expectedPlaces: 'Wertungen und erwartete Plätze',
  toLeaderboard: 'Zur Bestenliste',
};
