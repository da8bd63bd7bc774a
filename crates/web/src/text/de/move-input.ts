import type { Catalogue } from '../index.ts';
import { capitalize } from '../capitalize.ts';
import { colors, piece, theSeat, to } from './game.ts';

export const play: Catalogue['play'] = {
  input: 'Zug eintippen',
  hint: 'h2h4',
  unreadable: (typed) => `„${typed}“ ist kein Zug. Versuche h2h4.`,
  illegal: (typed) => `${typed} ist jetzt nicht möglich.`,
  notNow: 'Du bist nicht am Zug.',
  premove: (from, target) => `Vorauszug ${from}-${target}`,
  premoveCancel: 'Vorauszug zurücknehmen',
  premoveDropped: (from, target) => `Dein Vorauszug ${from}-${target} ist nicht möglich und entfällt.`,
  premoveNotNeeded: (from, target) => `Auf ${target} wurde nichts geschlagen: Dein Vorauszug ${from}-${target} entfällt.`,
  go: 'Ziehen',
  confirm: (from, target) => `${from}-${target} ziehen?`,
  promote: 'Umwandeln',
  promotion: (role, left) => (left === null ? `Umwandeln ${to(role)}` : `Umwandeln ${to(role)}, ${left} in der Reserve`),
  resign: 'Aufgeben',
  resignTitle: 'Aufgeben?',
  resignFour: 'Deine Armee verlässt das Brett, und die anderen spielen weiter. Zurückkommen kannst du nicht.',
  resignTwo: 'Die Partie endet, und dein Gegner gewinnt.',
  out: 'Du bist ausgeschieden. Du kannst weiter zusehen und mit den Zuschauern reden.',
  keep: 'Weiterspielen',
};

export const hotseat: Catalogue['hotseat'] = {
  turnsBoard: 'Das Brett zum Spieler am Zug drehen',
  more: 'Du kannst an diesem Gerät weitere Plätze spielen: Drücke bei einem freien auf „Hinsetzen“.',
  leaveAll: 'Alle Plätze verlassen',
  leaveOne: 'Freigeben',
  leaveOneWho: (color) => `${capitalize(theSeat(color))} freigeben`,
  resignWhich: 'Wer gibt auf?',
  resignTitle: (color) => `Als ${colors[color]} aufgeben?`,
  resignAs: (color) => `${colors[color]} gibt auf`,
};

export const square: Catalogue['square'] = {
  empty: 'leer',
  piece,
  picked: 'aufgenommen',
  target: 'kann hierhin',
  premove: 'Vorauszug',
  drawn: 'markiert',
  check: 'im Schach',
};
