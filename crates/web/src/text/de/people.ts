import type { Catalogue } from '../index.ts';

export const people: Catalogue['people'] = {
  open: (name) => `${name}: Profil und Aktionen`,
  profile: 'Profil',
  more: 'Aktionen …',
  mutes: {
    list: 'Stummgeschaltet',
    add: 'Stummschalten',
    remove: 'Nicht mehr stummschalten',
    added: (name) => `${name} ist stummgeschaltet. Du siehst keine Nachrichten von ${name} mehr.`,
    removed: (name) => `${name} ist nicht mehr stummgeschaltet.`,
  },
  blocks: {
    list: 'Blockiert',
    add: 'Blockieren',
    remove: 'Nicht mehr blockieren',
    added: (name) => `${name} ist blockiert. Du siehst keine Nachrichten von ${name} mehr, und ${name} kann sich nicht an deine Tische setzen.`,
    removed: (name) => `${name} ist nicht mehr blockiert.`,
  },
  listTitle: 'Blockierte und stummgeschaltete Spieler',
  listHint: 'Du siehst ihre Nachrichten nicht. Blockierte Spieler können sich auch nicht an deine Tische setzen. Sie erfahren davon nichts.',
};
