import type { Color, Presence, Variant } from '../../protocol/generated.ts';
import { left, list } from './amounts.ts';
import { colors, variants } from './game.ts';

/** The page of a table. */
export const table = {
  waiting: 'Waiting for players',
  closed: 'This table is closed',
  closedHint: 'No one was here for a while. Its matches can still be replayed.',
  closedByModerator: (reason: string) => `A moderator closed it: ${reason}`,
  seatsTaken: (held: number, all: number) => `${held} of ${all} seats are taken`,
  yourMove: 'Your move',
  toMove: (color: Color) => `${colors[color]} to move`,
  wins: (color: Color) => `${colors[color]} wins`,
  youWin: 'You win',
  drawn: 'Draw',
  aborted: 'Aborted',
  drawnAmong: (among: readonly Color[]) => `Draw: ${list(among.map((color) => colors[color]))}`,
  openSeat: 'Open seat',
  sit: 'Sit',
  sitAny: 'Take a seat',
  leave: 'Leave your seat',
  host: 'host',
  kick: 'Remove',
  kickPlayer: (name: string) => `Remove ${name}`,
  kickTitle: (name: string) => `Remove ${name}?`,
  kickHint: 'The seat becomes free. They will not be able to rejoin this table.',
  you: 'you',
  presence: { connected: 'online', reconnecting: 'reconnecting', gone: 'away' } satisfies Record<Presence, string>,
  reconnecting: (seconds: number) => `Away, ${seconds} s`,
  gone: 'Away',
  firstMove: 'First move',
  firstMoveWithin: 'Time for the first move',
  moveWithin: 'Time for this move',
  /** The colors in check, beside the name of the player to move. */
  inCheck: (checked: readonly Color[], you: Color | null) => {
    if (checked.length === 1 && checked[0] === you) return 'You are in check';
    return `${list(checked.map((color) => (color === you ? 'you' : colors[color])))} in check`;
  },
  /** A mate that another player may still prevent. */
  facingMate: (facing: readonly Color[], you: Color | null) => {
    if (facing.length === 1 && facing[0] === you) return 'You are mated unless someone helps before your turn.';
    const [verb, whose] = facing.length === 1 ? ['is', 'its'] : ['are', 'their'];
    return `${list(facing.map((color) => (color === you ? 'you' : colors[color])))} ${verb} mated unless someone helps before ${whose} turn.`;
  },
  stalemated: (color: Color, players: number) =>
    `${colors[color]} cannot move and is not in check: a draw for all ${({ 2: 'two', 3: 'three', 4: 'four' } as Record<number, string>)[players] ?? players}`,
  delay: (seconds: number) => `${seconds} s before the clock runs`,
  rules: (variant: Variant) => `Rules of ${variants[variant].name}`,
  newMessages: (count: number) => (count === 1 ? '1 new message' : `${count} new messages`),
  /** The note at the user's own seat, which has little room. */
  ownTurn: 'Your move',
  turn: 'To move',
  invited: 'You are invited: choose a seat.',
  chooseSeat: 'Choose a seat to play.',
  seatedHint: 'The match starts when all seats are taken.',
  share: 'Share this table',
  watchHint: 'Anyone with this link can watch.',
  spectators: (count: number) => (count === 1 ? '1 spectator' : `${count} spectators`),
  loading: 'Opening the table…',
  notFound: 'Table not found',
  accessEnded: 'You can no longer watch this table',
  notFoundHint: 'The link may be wrong, used or expired, or the table is private and the link is not yours.',
  board: 'Board',
  boardView: (players: number, color: Color, isOwn: boolean) =>
    `${players === 2 ? 'Two' : 'Four'}-player board, ${isOwn ? `you are ${colors[color]}, at the bottom` : `${colors[color]} is at the bottom`}`,
  boardWith: (counts: readonly (readonly [Color, number])[]) =>
    `Board: ${counts.map(([color, count]) => `${colors[color]} ${count}`).join(', ')}`,
  moves: 'Moves',
  /** The mark of a capture en passant. */
  inPassing: 'e.p.',
  noMoves: 'No moves yet',
  result: 'Final places',
  reserve: 'Reserve',
  /** The lamps of a seat. */
  lamps: { check: 'Check', mate: 'Mate' },
  captured: 'Taken',
};

/** The links to a private table. */
export const links = {
  watchers: 'Invite spectators',
  hint: 'Only people with a link can see this table.',
  seat: (color: Color) => `${colors[color]} seat`,
  anySeat: 'Any seat',
  spectator: 'Spectator',
  create: 'Create link',
  ownLinks: 'Your links',
  used: 'used',
  expiresIn: (left_ms: number) => `expires in ${left(left_ms)}`,
  revoke: 'Revoke',
};
