import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';

const form = pluralForms('de');

export const sessions: Catalogue['sessions'] = {
  title: 'Wo du angemeldet bist',
  hint: 'Melde alles ab, was du nicht kennst.',
  current: 'Dieser Browser',
  unknownBrowser: 'Unbekannter Browser',
  program: 'Programm',
  used: (ago) => `Zuletzt genutzt: ${ago}`,
  since: (day) => `Angemeldet am ${day}`,
  signOut: 'Abmelden',
  signOutOf: (name) => `Abmelden: ${name}`,
  signOutOthers: 'Überall sonst abmelden',
  signedOut: (name) => `Abgemeldet: ${name}.`,
  signedOutOthers: (count) => (count === 0 ? 'Du warst sonst nirgends angemeldet.' : form(count, { one: 'Eine weitere Sitzung wurde beendet.', other: `${count} weitere Sitzungen wurden beendet.` })),
  question: 'In diesem Browser abmelden?',
  lastBrowser: (name) =>
    `Du spielst als Gast ${name} und bist nur hier angemeldet. Wenn du dich abmeldest, ist ${name} für immer verloren: Du kommst nicht mehr zu deinen Tischen und Partien zurück.`,
  otherBrowsers: (name) => `Wenn du wieder ${name} sein willst, öffne auf deinem anderen Gerät das Menü und wähle „Auf einem anderen Gerät weiterspielen“.`,
  signOutAnyway: 'Trotzdem abmelden',
};

export const signedOut: Catalogue['signedOut'] = {
  title: 'Du bist abgemeldet',
  done: (name) => `Dieser Browser ist nicht mehr als ${name} angemeldet.`,
  startAgain: 'Als neuer Gast spielen',
};
