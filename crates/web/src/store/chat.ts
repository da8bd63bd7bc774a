import type { Color, Phrase, Room, UserId, UserView, ChatMessage } from '../protocol/generated.ts';
import { isIn, type TableState } from './table.ts';

/** Something somebody said at a table. */
export interface Message {
  readonly seq: number;
  readonly user: UserView;
  /** The seat they hold. */
  readonly color: Color | null;
  readonly room: Room;
  readonly words: ChatMessage;
}

/** The ready phrases, in the order in which they are offered. */
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

/** The chat messages that the viewer may read, oldest first. */
export function messagesOf({ history }: TableState): Message[] {
  return history.flatMap(({ seq, event }) =>
    event.type === 'message_sent' ? [{ seq, user: event.user, color: event.color ?? null, room: event.room, words: event.message }] : [],
  );
}

/** The room one belongs to: the players' while one sits and, during the match, is still in. */
export function roomOf(state: TableState): Room {
  const { you } = state;
  if (you === null) return 'bystanders';
  return state.state.phase !== 'running' || isIn(state, you) ? 'seated' : 'bystanders';
}

/** The messages that a user may send: free text, preset phrases alone, or none. */
export function mayWrite(state: TableState, viewer: UserId | null): 'on' | 'phrases' | 'off' {
  if (viewer === null || state.state.closed === true) return 'off';
  return roomOf(state) === 'seated' ? state.settings.chat : 'on';
}

/** The number of messages of others after the last one read. */
export function unreadOf(messages: readonly Message[], read: number, viewer: UserId | null, muted: ReadonlySet<UserId>): number {
  return messages.filter(({ seq, user }) => seq > read && user.id !== viewer && !muted.has(user.id)).length;
}
