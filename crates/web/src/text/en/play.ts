import type { Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import { colors, roles } from './game.ts';

/** How one moves, and leaves a match. */
export const play = {
  input: 'Type a move',
  hint: 'h2h4',
  unreadable: (text: string) => `“${text}” is not written like a move. Try h2h4.`,
  illegal: (text: string) => `${text} is not possible now.`,
  notNow: 'It is not your turn.',
  premove: (from: string, to: string) => `Premove ${from}-${to}`,
  premoveCancel: 'Cancel the premove',
  premoveDropped: (from: string, to: string) => `Your premove ${from}-${to} is not possible and is dropped.`,
  premoveNotNeeded: (from: string, to: string) => `Nothing was taken on ${to}: your premove ${from}-${to} is dropped.`,
  go: 'Play',
  confirm: (from: string, to: string) => `Play ${from}-${to}?`,
  promote: 'Promote to',
  promotion: (role: RoleLetter, left: number | null) =>
    left === null ? `Promote to ${roles[role]}` : `Promote to ${roles[role]}, ${left} in reserve`,
  resign: 'Resign',
  resignTitle: 'Resign?',
  resignFour: 'Your army leaves the board and the others play on. You cannot come back.',
  resignTwo: 'The match ends and your opponent wins.',
  out: 'You are out. Watch on, and talk with the onlookers.',
  keep: 'Keep playing',
};

/** Where one person plays several seats. */
export const hotseat = {
  turnsBoard: 'Turn the board to whoever is to move',
  more: 'You may play further seats from this screen: press Sit at any that is open.',
  leaveAll: 'Leave your seats',
  leaveOne: 'Free',
  leaveOneWho: (color: Color) => `Give the ${colors[color].toLowerCase()} seat back`,
  resignWhich: 'Who resigns?',
  resignTitle: (color: Color) => `Resign as ${colors[color]}?`,
  resignAs: (color: Color) => `${colors[color]} resigns`,
};

/** What a screen reader says of a square. */
export const square = {
  empty: 'empty',
  piece: (color: Color, role: RoleLetter) => `${colors[color].toLowerCase()} ${roles[role]}`,
  picked: 'picked up',
  target: 'can go here',
  premove: 'premove',
  drawn: 'marked',
  check: 'in check',
};
