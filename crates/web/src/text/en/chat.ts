import type { Phrase, Room } from '../../protocol/generated.ts';
import { withFallback } from '../with-fallback.ts';

/** The chat. */
export const chat = {
  title: 'Chat',
  log: 'Chat messages',
  none: 'No messages yet.',
  rooms: { seated: 'player', bystanders: 'spectator' } satisfies Record<Room, string>,
  to: { seated: 'Message everyone', bystanders: 'Message spectators' } satisfies Record<Room, string>,
  send: 'Send',
  ready: 'Quick phrases',
  mute: 'Mute a player',
  muted: (name: string) => `${name} is muted`,
  unread: (count: number) => (count === 1 ? '1 new message' : `${count} new messages`),
  phrases: withFallback<Phrase, string>(
    {
      hello: 'Hello!',
      good_luck: 'Good luck!',
      good_move: 'Good move!',
      thanks: 'Thanks!',
      oops: 'Oops!',
      one_moment: 'One moment, please.',
      back: 'I am back.',
      good_game: 'Good game!',
      again: 'Another one?',
      bye: 'Bye!',
    },
    '(a quick phrase of a newer version)',
  ),
};
