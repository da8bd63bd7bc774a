import type { Catalogue } from '../index.ts';
import { left, list } from './amounts.ts';
import { colors, variants } from './game.ts';

export const table: Catalogue['table'] = {
  waiting: 'Warten auf Spieler',
  closed: 'Dieser Tisch ist geschlossen',
  closedHint: 'Eine Weile war niemand hier. Was hier gespielt wurde, ist noch zu sehen.',
  closedByModerator: (reason: string) => `Die Moderation hat ihn geschlossen: ${reason}`,
  seatsTaken: (held, all) => `${held} von ${all} Plätzen sind besetzt`,
  yourMove: 'Du bist am Zug',
  toMove: (color) => `${colors[color]} ist am Zug`,
  wins: (color) => `${colors[color]} gewinnt`,
  youWin: 'Du gewinnst',
  drawn: 'Remis',
  aborted: 'Abgebrochen',
  drawnAmong: (among) => `Remis: ${list(among.map((color) => colors[color]))}`,
  openSeat: 'Frei',
  sit: 'Hinsetzen',
  sitAny: 'Platz nehmen',
  leave: 'Aufstehen',
  host: 'Gastgeber',
  kick: 'Entfernen',
  kickPlayer: (name) => `${name} entfernen`,
  kickTitle: (name) => `${name} entfernen?`,
  kickHint: 'Der Platz ist dann wieder frei. Wer entfernt wurde, kann sich an diesen Tisch nicht mehr setzen.',
  you: 'du',
  presence: { connected: 'da', reconnecting: 'verbindet neu', gone: 'weg' },
  reconnecting: (seconds) => `Weg, ${seconds} s`,
  gone: 'Weg',
  firstMove: 'Erster Zug',
  firstMoveWithin: 'Zeit für den ersten Zug',
  moveWithin: 'Zeit für diesen Zug',
  inCheck: (checked, you) => {
    if (checked.length === 1 && checked[0] === you) return 'Du stehst im Schach';
    return `${list(checked.map((color) => (color === you ? 'du' : colors[color])))} im Schach`;
  },
  facingMate: (facing, you) => {
    if (facing.length === 1 && facing[0] === you) return 'Du bist matt, wenn dir vor deinem Zug niemand hilft.';
    const names = list(facing.map((color) => (color === you ? 'du' : colors[color])));
    return facing.length === 1 ? `${names} ist matt, wenn vor diesem Zug niemand hilft.` : `Matt, wenn niemand vorher hilft: ${names}.`;
  },
  stalemated: (color, players) =>
    `${colors[color]} kann nicht ziehen und steht nicht im Schach: remis für alle ${({ 2: 'zwei', 3: 'drei', 4: 'vier' } as Record<number, string>)[players] ?? players}`,
  delay: (seconds) => `noch ${seconds} s, bevor die Uhr läuft`,
  rules: (variant) => `Regeln von ${variants[variant].name}`,
  newMessages: (count) => (count === 1 ? '1 neue Nachricht' : `${count} neue Nachrichten`),
  /** The note at the user's own seat, which has little room. */
  ownTurn: 'Am Zug',
  turn: 'Am Zug',
  invited: 'Du bist eingeladen: Wähle einen Platz.',
  chooseSeat: 'Wähle einen Platz, um mitzuspielen.',
  seatedHint: 'Die Partie beginnt, wenn alle Plätze besetzt sind.',
  share: 'Diesen Tisch teilen',
  watchHint: 'Wer diesen Link hat, kann zusehen.',
  spectators: (count) => (count === 1 ? '1 Zuschauer' : `${count} Zuschauer`),
  loading: 'Der Tisch wird geöffnet …',
  notFound: 'Diesen Tisch gibt es nicht',
  accessEnded: 'Du kannst an diesem Tisch nicht mehr zusehen',
  notFoundHint: 'Der Link ist vielleicht falsch, verbraucht oder abgelaufen, oder der Tisch ist privat und der Link nicht für dich.',
  board: 'Brett',
  boardView: (players, color, isOwn) =>
    `Brett für ${players === 2 ? 'zwei' : 'vier'}, ${isOwn ? `du spielst ${colors[color]} und sitzt unten` : `${colors[color]} sitzt unten`}`,
  boardWith: (counts) => `Brett: ${counts.map(([color, count]) => `${colors[color]} ${count}`).join(', ')}`,
  moves: 'Züge',
  inPassing: 'e.p.',
  noMoves: 'Noch keine Züge',
  result: 'Plätze am Ende',
  reserve: 'Reserve',
  lamps: { check: 'Schach', mate: 'Matt' },
  captured: 'Geschlagen',
};

export const links: Catalogue['links'] = {
  watchers: 'Zuschauer einladen',
  hint: 'Diesen Tisch sieht nur, wem du einen Link schickst.',
  seat: (color) => `Platz von ${colors[color]}`,
  anySeat: 'Ein freier Platz',
  spectator: 'Zuschauer',
  create: 'Link erstellen',
  ownLinks: 'Deine Links',
  used: 'benutzt',
  expiresIn: (left_ms) => `noch ${left(left_ms)} gültig`,
  revoke: 'Widerrufen',
};
