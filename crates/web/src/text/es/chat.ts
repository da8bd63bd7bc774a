import type { Phrase } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';
import { counted } from './amounts.ts';

export const chat: Catalogue['chat'] = {
  title: 'Chat',
  log: 'Mensajes del chat',
  none: 'Todavía no hay mensajes.',
  rooms: { seated: 'jugador', bystanders: 'espectador' },
  to: { seated: 'Mensaje para todos', bystanders: 'Mensaje a espectadores' },
  send: 'Enviar',
  ready: 'Frases rápidas',
  mute: 'Silenciar a un jugador',
  muted: (name) => `${name} está en silencio`,
  unread: (count) => counted(count, { one: 'mensaje nuevo', other: 'mensajes nuevos' }),
  phrases: withFallback<Phrase, string>(
    {
      hello: '¡Hola!',
      good_luck: '¡Suerte!',
      good_move: '¡Buena jugada!',
      thanks: '¡Gracias!',
      oops: '¡Ups!',
      one_moment: 'Un momento, por favor.',
      back: 'Ya estoy de vuelta.',
      good_game: '¡Buena partida!',
      again: '¿Otra?',
      bye: '¡Adiós!',
    },
    '(una frase de una versión más nueva)',
  ),
};
