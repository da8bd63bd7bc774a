import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';
import { number, remaining } from './amounts.ts';

const form = pluralForms('de');

export const games: Catalogue['games'] = {
  title: 'Deine Partien',
  groups: {
    yourMove: 'Du bist am Zug',
    theirMove: 'Andere sind am Zug',
    hosted: 'Du bist Gastgeber',
    open: 'Noch nicht begonnen',
  },
  waiting: (count) => {
    if (count === 0) return 'Du bist in keiner Partie am Zug.';
    return form(count, { one: 'Du bist in 1 Partie am Zug.', other: `Du bist in ${number(count)} Partien am Zug.` });
  },
  left: (left_ms) => `noch ${remaining(left_ms)}`,
  toMove: (name) => (name === '' ? 'Läuft' : `${name} ist am Zug`),
  next: 'Nächste Partie',
  nextOfWaiting: (count) => form(count, { one: 'Nächste Partie: Du bist in 1 Partie am Zug.', other: `Nächste Partie: Du bist in ${number(count)} Partien am Zug.` }),
  nextAfter: (place, count) => `Nächste Partie: Das ist die ${number(place)}. von ${number(count)}, in denen du am Zug bist.`,
  none: 'Du spielst gerade keine Partie.',
  start: 'Partie beginnen',
  loading: 'Deine Partien werden geladen …',
  all: 'Alle deine Partien',
};
