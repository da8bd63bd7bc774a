import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';
import { left, span } from './amounts.ts';

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
    `Du spielst als Gast ${name} und bist nur hier angemeldet. Wenn du dich abmeldest, ist ${name} mit allen Tischen und Partien für immer verloren. Ein Wiederherstellungsschlüssel oder ein Konto verhindert das.`,
  otherBrowsers: (name) => `Wenn du wieder ${name} sein willst, öffne auf deinem anderen Gerät das Menü und wähle „Auf einem anderen Gerät weiterspielen“.`,
  byKey: (name) => `Wenn du wieder ${name} sein willst, melde dich mit deinem Wiederherstellungsschlüssel an.`,
  signOutAnyway: 'Trotzdem abmelden',
};

export const signedOut: Catalogue['signedOut'] = {
  title: 'Du bist abgemeldet',
  done: (name) => `Dieser Browser ist nicht mehr als ${name} angemeldet.`,
  startAgain: 'Als neuer Gast spielen',
  deletedTitle: 'Deine Daten sind gelöscht',
  deleted: (name) => `${name} gibt es nicht mehr. Deine früheren Partien bleiben im Archiv, ohne deinen Namen.`,
};

export const account: Catalogue['account'] = {
  title: 'Konto',
  guest: (name) => `Du spielst als Gast ${name}. Mit einem Konto kannst du dich auf jedem Gerät anmelden, und dein Name gehört nur dir.`,
  signedIn: (name) => `Du bist als ${name} angemeldet.`,
  create: 'Konto erstellen',
  createHint: (name) => `Alle Tische und Partien von ${name} bleiben dir erhalten.`,
  nameHint: 'Mit diesem Namen meldest du dich an, und andere Spieler sehen ihn.',
  passwordHint: 'Mindestens 8 Zeichen.',
  invalidPassword: 'Wähle ein anderes Passwort: 8 bis 128 Zeichen, nicht dein Name und kein häufiges Passwort.',
  nameTaken: 'Dieser Name gehört einem anderen Spieler. Wähle einen anderen.',
  submit: 'Konto erstellen',
  already: 'Du hast schon ein Konto.',
  haveOne: 'Hast du schon ein Konto?',
  toSettings: 'Zu den Einstellungen',
  changePassword: 'Passwort ändern',
  currentPassword: 'Bisheriges Passwort',
  newPassword: 'Neues Passwort',
  wrongPassword: 'Das ist nicht dein bisheriges Passwort.',
  passwordChanged: (count) =>
    count === 0 ? 'Dein Passwort wurde geändert.' : form(count, { one: 'Dein Passwort wurde geändert und eine weitere Sitzung beendet.', other: `Dein Passwort wurde geändert, und ${count} weitere Sitzungen wurden beendet.` }),
  renameTooSoon: (left_ms) => `Du kannst deinen Namen in ${left(left_ms)} wieder ändern.`,
  guestMark: 'Gast',
};

export const signIn: Catalogue['signIn'] = {
  title: 'Anmelden',
  name: 'Name',
  password: 'Passwort',
  show: 'Passwort anzeigen',
  submit: 'Anmelden',
  wrong: 'Der Name oder das Passwort ist falsch.',
  withKey: 'Mit einem Wiederherstellungsschlüssel anmelden',
  key: 'Wiederherstellungsschlüssel',
  wrongKey: 'Dieser Schlüssel ist falsch oder gilt nicht mehr.',
  noAccount: 'Noch kein Konto?',
  busy: 'Der Server hat gerade viel zu tun. Versuche es gleich noch einmal.',
  question: (name) => `Den Gast ${name} verlassen?`,
  leaves: (name) => `Du spielst gerade als Gast ${name}. Die Tische und Partien von ${name} nimmst du nicht mit. Im Menü dieses Browsers kommst du zu ${name} zurück, solange er seine Daten behält.`,
  stay: (name) => `${name} bleiben`,
};

export const passwordReset: Catalogue['passwordReset'] = {
  title: 'Passwort zurücksetzen',
  link: 'Passwort vergessen?',
  hint: 'Wir senden einen Link an die E-Mail-Adresse deines Kontos, wenn du eine angegeben und bestätigt hast.',
  send: 'Link senden',
  sent: (name) => `Wenn ${name} eine bestätigte E-Mail-Adresse hat, ist ein Link unterwegs. Öffne ihn innerhalb einer Stunde.`,
  withoutMail: 'Ohne E-Mail-Adresse kannst du dich mit deinem Wiederherstellungsschlüssel anmelden.',
  notOffered: 'Dieser Server verschickt keine E-Mails. Melde dich mit deinem Wiederherstellungsschlüssel an.',
  invalidLink: 'Dieser Link wurde schon benutzt oder ist abgelaufen. Fordere einen neuen an.',
  endsSessions: 'Du wirst überall abgemeldet.',
  save: 'Neues Passwort festlegen',
  done: 'Dein Passwort wurde geändert, und du wurdest überall abgemeldet. Melde dich mit dem neuen Passwort an.',
};

export const recoveryKey: Catalogue['recoveryKey'] = {
  title: 'Wiederherstellungsschlüssel',
  hint: (name) => `Mit dem Schlüssel kannst du wieder als ${name} spielen, wenn die Daten dieses Browsers verloren sind oder du dein Passwort vergessen hast.`,
  exists: 'Du hast einen Wiederherstellungsschlüssel.',
  create: 'Schlüssel erstellen',
  renew: 'Schlüssel ersetzen',
  remove: 'Schlüssel löschen',
  removed: 'Der Schlüssel wurde gelöscht und gilt nicht mehr.',
  shown: 'Dein Wiederherstellungsschlüssel',
  label: 'Wiederherstellungsschlüssel',
  warning: 'Bewahre ihn an einem sicheren Ort auf, etwa in einem Passwort-Manager. Er wird nur jetzt angezeigt. Wer ihn hat, kann als du spielen.',
  replaced: 'Ein früherer Schlüssel gilt nicht mehr.',
  copy: 'Kopieren',
  download: 'Herunterladen',
  file: (name, key, link) => `Wiederherstellungsschlüssel von ${name} für Quadrex: ${key}\nAnmelden: ${link}`,
  keep: 'Behalte deine Partien',
  keepHint: (name) => `Nur dieser Browser weiß, dass du ${name} bist. Wenn seine Daten gelöscht werden, kommst du nicht zurück.`,
};

export const tokens: Catalogue['tokens'] = {
  title: 'Tokens für Programme',
  hint: 'Ein Programm mit einem Token handelt in deinem Namen, zum Beispiel ein Bot oder ein eigenes Werkzeug.',
  create: 'Token erstellen',
  name: 'Name',
  nameHint: 'Daran erkennst du das Programm.',
  invalidName: 'Gib einen Namen mit höchstens 60 Zeichen ein.',
  may: 'Was das Programm darf',
  read: 'Jedes Token darf an Tischen zuschauen und deine eigenen Daten lesen.',
  scopes: { read: 'Lesen', play: 'Spielen', host: 'Gastgeben', bot: 'Als Bot', admin: 'Administration' },
  scopeHints: {
    play: 'Plätze nehmen, ziehen und chatten.',
    host: 'Tische und Links erstellen und verwalten.',
    bot: 'Spielen, aber als Bot gekennzeichnet.',
    admin: 'Benutzer suchen, sperren und umbenennen.',
  },
  lifetime: 'Gültig für',
  days: (ms) => span(ms),
  neverExpires: 'Läuft nicht ab',
  expires: (day) => `Läuft am ${day} ab`,
  neverUsed: 'Nie genutzt',
  shown: 'Dein neues Token',
  warning: 'Kopiere es jetzt: Es wird nicht noch einmal angezeigt. Wer es hat, kann mit seinen Rechten in deinem Namen handeln.',
  revokeOf: (name) => `Widerrufen: ${name}`,
  revoked: (name) => `Widerrufen: ${name}.`,
};

export const personalData: Catalogue['personalData'] = {
  title: 'Deine Daten',
  hint: 'Eine Datei mit allem, was dieser Server über dich speichert: Profil, Anmeldungen, Tokens, Wertungen, Tische und Partien. Die Züge deiner Partien findest du im Archiv.',
  download: 'Daten herunterladen',
};

export const deletion: Catalogue['deletion'] = {
  title: 'Konto löschen',
  titleOfGuest: 'Daten löschen',
  hint: 'Das lässt sich nicht rückgängig machen.',
  open: 'Konto löschen …',
  openForGuest: 'Daten löschen …',
  question: (name) => `${name} endgültig löschen?`,
  goes: 'Gelöscht werden: dein Name, deine Anmeldung, alle Sitzungen und Tokens, deine Wertungen und was der Server über dich gespeichert hat. Offene Tische verlässt du, laufende Partien gibst du auf.',
  stays: 'Frühere Partien bleiben im Archiv, denn sie gehören auch deinen Gegnern. Dort steht „Deleted user“ statt deines Namens.',
  exportFirst: 'Wenn du eine Kopie deiner Daten willst, lade sie vorher herunter.',
  confirm: 'Endgültig löschen',
};
