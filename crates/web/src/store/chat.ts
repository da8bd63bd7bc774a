import type { Color, Phrase, Room, UserId, UserView, ChatMessage } from '../protocol/generated.ts';
import { isActive, type TableState } from './table.ts';

/** A chat message that a user sent at a table. */
export interface SentMessage {
  readonly seq: number;
  readonly user: UserView;
  /** The seat of the sender, if there is one. */
  readonly color: Color | null;
  readonly room: Room;
  readonly content: ChatMessage;
}

/** The preset phrases, in the order in which they are offered. */
export const PHRASES: readonly Phrase[] = [
  'hello',
  'good_luck',
  'good_move',
  'thanks',
  'oops',
  'one_moment',
  'back',
  'good_game',
  'again',
  'bye',
];

/** Returns the chat messages that the viewer may read, oldest first. */
export function readableMessages({ history }: TableState): SentMessage[] {
  return history.flatMap(({ seq, event }) =>
    event.type === 'message_sent' ? [{ seq, user: event.user, color: event.color ?? null, room: event.room, content: event.message }] : [],
  );
}

/**
 * Returns the chat room of the viewer: the players' room for a seated user who is not eliminated
 * from a running match, else the spectators' room.
 */
export function ownRoom(state: TableState): Room {
  const { viewerSeat } = state;
  if (viewerSeat === null) return 'bystanders';
  return state.state.phase !== 'running' || isActive(state, viewerSeat) ? 'seated' : 'bystanders';
}

/** Returns the kind of messages that a user may send: any text, preset phrases only, or none. */
export function writableMessages(state: TableState, viewer: UserId | null): 'on' | 'phrases' | 'off' {
  if (viewer === null || state.state.closed === true) return 'off';
  return ownRoom(state) === 'seated' ? state.settings.chat : 'on';
}

/** Returns the number of unread messages from other users whose messages are not hidden. */
export function unreadCount(messages: readonly SentMessage[], lastRead: number, viewer: UserId | null, hidden: ReadonlySet<UserId>): number {
  return messages.filter(({ seq, user }) => seq > lastRead && user.id !== viewer && !hidden.has(user.id)).length;
}
