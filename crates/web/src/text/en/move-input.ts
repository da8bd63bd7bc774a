import type { Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import { colors, roles } from './game.ts';

/** Moving, resigning and premoves. */
export const play = {
  input: 'Type a move',
  hint: 'h2h4',
  unreadable: (text: string) => `“${text}” is not a move. Try h2h4.`,
  illegal: (text: string) => `${text} is not legal now.`,
  notNow: 'It is not your turn.',
  premove: (from: string, to: string) => `Premove ${from}-${to}`,
  premoveCancel: 'Cancel premove',
  premoveDropped: (from: string, to: string) => `Your premove ${from}-${to} is not legal and was canceled.`,
  premoveNotNeeded: (from: string, to: string) => `Nothing was captured on ${to}: your premove ${from}-${to} was canceled.`,
  go: 'Play',
  confirm: (from: string, to: string) => `Play ${from}-${to}?`,
  promote: 'Promote to',
  promotion: (role: RoleLetter, left: number | null) =>
    left === null ? `Promote to ${roles[role]}` : `Promote to ${roles[role]}, ${left} in reserve`,
  resign: 'Resign',
  resignTitle: 'Resign?',
  resignFour: 'Your army leaves the board and the others play on. This cannot be undone.',
  resignTwo: 'The match ends and your opponent wins.',
  out: 'You are out. Keep watching and chat with the spectators.',
  keep: 'Keep playing',
};

/** One user with several seats. */
export const hotseat = {
  turnsBoard: 'Turn the board to the player to move',
  more: 'You can play more seats on this screen: press Sit at any open one.',
  leaveAll: 'Leave your seats',
  leaveOne: 'Leave',
  leaveOneWho: (color: Color) => `Leave the ${colors[color].toLowerCase()} seat`,
  resignWhich: 'Who resigns?',
  resignTitle: (color: Color) => `Resign as ${colors[color]}?`,
  resignAs: (color: Color) => `${colors[color]} resigns`,
};

/** The description of a square for screen readers. */
export const square = {
  empty: 'empty',
  piece: (color: Color, role: RoleLetter) => `${colors[color].toLowerCase()} ${roles[role]}`,
  picked: 'picked up',
  target: 'legal move',
  premove: 'premove',
  drawn: 'marked',
  check: 'in check',
};
