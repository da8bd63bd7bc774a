import type { Cause, Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import { capitalize } from '../capitalize.ts';
import { withFallback } from '../with-fallback.ts';
import { list } from './amounts.ts';
import { colors, roles } from './game.ts';

/** Texts about moves, premoves and resignations. */
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
  submit: 'Play',
  /** Reasons why a piece cannot move. */
  stuck: {
    pinned: (role: RoleLetter) => `This ${roles[role]} is pinned: if it moved, your king would be in check.`,
    check: (role: RoleLetter) => `You are in check, and this ${roles[role]} cannot end it.`,
    blocked: (role: RoleLetter) =>
      role === 'K' ? 'Your king has no square that is free and safe.' : `This ${roles[role]} has no free square to go to.`,
  },
  neighborEnPassant: (square: string) =>
    `Why no en passant on ${square}? Here it works against the opposite player only, not against a neighbor.`,
  stalemateWarning:
    'The next player could not move and would not be in check. That is stalemate, and a draw for everyone still in the game.',
  playAnyway: 'Play anyway',
  unsent: 'Offline: your move is waiting',
  unsentMove: (from: string, to: string) => `${from}-${to} will be sent as soon as you are online.`,
  confirm: (from: string, to: string) => `Play ${from}-${to}?`,
  promote: 'Promote to',
  promotion: (role: RoleLetter, left: number | null) =>
    left === null ? `Promote to ${roles[role]}` : `Promote to ${roles[role]}, ${left} in reserve`,
  promotionNone: (role: RoleLetter) => `${capitalize(roles[role])}: 0 in reserve, because none of yours was captured`,
  promotionHint: 'A queen always; others only if you lost one.',
  resign: 'Resign',
  resignTitle: 'Resign?',
  resignHintMany: 'Your army leaves the board and the others play on. This cannot be undone.',
  resignHintTwo: 'The match ends and your opponent wins.',
  /** The ways in which a player was eliminated. */
  eliminatedBy: withFallback<Cause, (by: readonly Color[]) => string>(
    {
      mate: (by: readonly Color[]) => (by.length === 0 ? 'You were checkmated.' : `You were checkmated by ${list(by.map((color) => colors[color]))}.`),
      resign: () => 'You resigned.',
      time: () => 'Your time ran out.',
      absence: () => 'You were disconnected for too long.',
    },
    () => 'You were eliminated.',
  ),
  ownPlace: (place: string) => `Your place: ${place}.`,
  eliminatedHint: 'The others play on. You can watch and chat with the spectators, or leave.',
  keepPlaying: 'Keep playing',
};

/** Texts for one user with several seats. */
export const hotseat = {
  turnsBoard: 'Turn the board to the player to move',
  moreSeats: 'You can play more seats on this screen: press Sit at any open one.',
  leaveSeats: 'Leave your seats',
  leaveSeat: 'Leave',
  leaveSeatOf: (color: Color) => `Leave the ${colors[color].toLowerCase()} seat`,
  resignWhich: 'Who resigns?',
  resignTitle: (color: Color) => `Resign as ${colors[color]}?`,
  resignAs: (color: Color) => `${colors[color]} resigns`,
};

/** The description of a square for screen readers. */
export const square = {
  empty: 'empty',
  piece: (color: Color, role: RoleLetter) => `${colors[color].toLowerCase()} ${roles[role]}`,
  pickedUp: 'picked up',
  target: 'legal move',
  premove: 'premove',
  drawn: 'marked',
  check: 'in check',
};
