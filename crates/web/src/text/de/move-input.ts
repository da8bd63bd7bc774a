import type { Cause, Color } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { capitalize } from '../capitalize.ts';
import { withFallback } from '../with-fallback.ts';
import { list } from './amounts.ts';
import { colors, piece, roles, theSeat, thisPiece, to } from './game.ts';

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
  submit: 'Ziehen',
  stuck: {
    pinned: (role) => `${capitalize(thisPiece(role))} ist gefesselt: Zöge ${role === 'Q' ? 'sie' : 'er'}, stünde dein König im Schach.`,
    check: (role) => `Du stehst im Schach, und ${thisPiece(role)} kann es nicht abwehren.`,
    blocked: (role) =>
      role === 'K' ? 'Dein König hat kein freies Feld, das nicht angegriffen ist.' : `${capitalize(thisPiece(role))} hat kein freies Feld.`,
  },
  neighborEnPassant: (square) =>
    `Warum kein En passant auf ${square}? Hier gilt es nur zwischen gegenüber sitzenden Spielern, nicht zwischen Nachbarn.`,
  stalemateWarning:
    'Der nächste Spieler könnte nicht ziehen und stünde nicht im Schach. Das ist Patt, und damit remis für alle, die noch im Spiel sind.',
  playAnyway: 'Trotzdem ziehen',
  unsent: 'Offline: Dein Zug wartet',
  unsentMove: (from, target) => `${from}-${target} wird gesendet, sobald du online bist.`,
  confirm: (from, target) => `${from}-${target} ziehen?`,
  promote: 'Umwandeln',
  promotion: (role, left) => (left === null ? `Umwandeln ${to(role)}` : `Umwandeln ${to(role)}, ${left} in der Reserve`),
  resign: 'Aufgeben',
  resignTitle: 'Aufgeben?',
  resignHintMany: 'Deine Armee verlässt das Brett, und die anderen spielen weiter. Zurückkommen kannst du nicht.',
  resignHintTwo: 'Die Partie endet, und dein Gegner gewinnt.',
  eliminatedBy: withFallback<Cause, (by: readonly Color[]) => string>(
    {
      mate: (by) => (by.length === 0 ? 'Du bist mattgesetzt.' : `Du bist mattgesetzt: ${list(by.map((color) => colors[color]))}.`),
      resign: () => 'Du hast aufgegeben.',
      time: () => 'Deine Zeit ist abgelaufen.',
      absence: () => 'Du warst zu lange nicht verbunden.',
    },
    () => 'Du bist ausgeschieden.',
  ),
  ownPlace: (place) => `Dein Platz: ${place}`,
  eliminatedHint: 'Die anderen spielen weiter. Du kannst zusehen und mit den Zuschauern reden, oder gehen.',
  promotionNone: (role) => `${roles[role]}: 0 in der Reserve, weil dir keiner geschlagen wurde`,
  promotionHint: 'Eine Dame immer; andere nur, wenn du sie verloren hast.',
  keepPlaying: 'Weiterspielen',
};

export const hotseat: Catalogue['hotseat'] = {
  turnsBoard: 'Das Brett zum Spieler am Zug drehen',
  moreSeats: 'Du kannst an diesem Gerät weitere Plätze spielen: Drücke bei einem freien auf „Hinsetzen“.',
  leaveSeats: 'Alle Plätze verlassen',
  leaveSeat: 'Freigeben',
  leaveSeatOf: (color) => `${capitalize(theSeat(color))} freigeben`,
  resignWhich: 'Wer gibt auf?',
  resignTitle: (color) => `Als ${colors[color]} aufgeben?`,
  resignAs: (color) => `${colors[color]} gibt auf`,
};

export const square: Catalogue['square'] = {
  empty: 'leer',
  piece,
  pickedUp: 'aufgenommen',
  target: 'kann hierhin',
  premove: 'Vorauszug',
  drawn: 'markiert',
  check: 'im Schach',
};
