import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';

const form = pluralForms('de');

export const friends: Catalogue['friends'] = {
  title: 'Freunde',
  hint: 'Folge Spielern: Du siehst, wann sie online sind, und kannst ihnen zuschauen.',
  followed: 'Spieler, denen du folgst',
  none: 'Du folgst noch niemandem. Öffne das Profil eines Spielers, um ihm zu folgen.',
  online: 'Online',
  offline: 'Offline',
  playing: 'Spielt gerade',
  watch: (name) => `${name} zuschauen`,
  opponents: 'Letzte Mitspieler',
  noOpponents: 'Du hast noch nicht mit anderen gespielt.',
  matches: (count, day) => form(count, { one: `1 Partie, am ${day}`, other: `${count} Partien, zuletzt am ${day}` }),
};
