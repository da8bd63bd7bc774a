import type { Color, Presence } from '../../protocol/generated.ts';
import { list } from './amounts.ts';
import { colors } from './game.ts';

/** The page of a table. */
export const table = {
  waiting: 'Waiting for players',
  closed: 'This table is closed',
  closedHint: 'Nobody was here for a while. What was played here can still be seen.',
  filled: (held: number, all: number) => `${held} of ${all} seats are taken`,
  yourMove: 'Your move',
  toMove: (color: Color) => `${colors[color]} to move`,
  wins: (color: Color) => `${colors[color]} wins`,
  youWin: 'You win',
  drawn: 'A draw',
  aborted: 'Aborted',
  drawnAmong: (among: readonly Color[]) => `A draw: ${list(among.map((color) => colors[color]))}`,
  open: 'Open seat',
  sit: 'Sit',
  sitAny: 'Take a seat',
  leave: 'Leave your seat',
  host: 'host',
  kick: 'Put out',
  kickWho: (name: string) => `Put out ${name}`,
  kickTitle: (name: string) => `Put ${name} out?`,
  kickHint: 'The seat is free again. Who was put out may not sit at this table any more.',
  you: 'you',
  presence: { connected: 'here', reconnecting: 'coming back', gone: 'away' } satisfies Record<Presence, string>,
  reconnecting: (seconds: number) => `Away, ${seconds} s`,
  gone: 'Away',
  firstMove: 'First move',
  firstMoveWithin: 'Time for the first move',
  moveWithin: 'Time for this move',
  check: 'Check',
  turn: 'To move',
  invited: 'You are invited: choose a seat.',
  choose: 'Choose a seat to play.',
  seated: 'The match starts when all seats are taken.',
  share: 'Share this table',
  shareHint: 'Anybody with this address can sit down or watch.',
  spectators: (count: number) => (count === 1 ? '1 spectator' : `${count} spectators`),
  loading: 'Opening the table…',
  missing: 'There is no such table',
  left: 'You can no longer follow this table',
  missingHint: 'Perhaps the link is wrong or no longer good, or the table is private and the link was not for you.',
  board: 'Board',
  boardWith: (counts: readonly (readonly [Color, number])[]) =>
    `Board: ${counts.map(([color, count]) => `${colors[color]} ${count}`).join(', ')}`,
  moves: 'Moves',
  /** Beside a move: a pawn was taken in passing. */
  inPassing: 'e.p.',
  noMoves: 'No moves yet',
  result: 'Final places',
  reserve: 'Reserve',
  /** The lights at a seat. */
  lamps: { check: 'Check', mate: 'Mate' },
  taken: 'Taken',
};

/** Links to a private table. */
export const links = {
  title: 'Invite players',
  watchers: 'Invite spectators',
  hint: 'This table is seen only by those you send a link.',
  seat: (color: Color) => `${colors[color]} seat`,
  any: 'Any seat',
  watch: 'Watching',
  make: 'Make link',
};
