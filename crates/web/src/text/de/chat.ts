import type { Phrase } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';

export const chat: Catalogue['chat'] = {
  title: 'Chat',
  log: 'Chatnachrichten',
  none: 'Noch keine Nachrichten.',
  rooms: { seated: 'Spieler', bystanders: 'Zuschauer' },
  to: { seated: 'Nachricht an alle', bystanders: 'Nachricht an Zuschauer' },
  send: 'Senden',
  ready: 'Schnellantworten',
  mute: 'Jemanden stumm schalten',
  muted: (name) => `${name} ist stumm geschaltet`,
  unread: (count) => (count === 1 ? '1 neue Nachricht' : `${count} neue Nachrichten`),
  phrases: withFallback<Phrase, string>(
    {
      hello: 'Hallo!',
      good_luck: 'Viel Glück!',
      good_move: 'Guter Zug!',
      thanks: 'Danke!',
      oops: 'Ups!',
      one_moment: 'Einen Moment, bitte.',
      back: 'Ich bin wieder da.',
      good_game: 'Schöne Partie!',
      again: 'Noch eine?',
      bye: 'Tschüss!',
    },
    '(eine Schnellantwort einer neueren Version)',
  ),
};
