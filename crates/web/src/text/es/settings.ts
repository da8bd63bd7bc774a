import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';
import { span } from './amounts.ts';

export const settings: Catalogue['settings'] = {
  labels: {
    time: 'Reloj',
    rated: 'Puntuación',
    ratingRange: 'Rango de puntuación',
    seating: 'Asientos',
    limit: 'Límite por jugada',
    absence: 'Si un jugador se desconecta',
    draws: 'Repetición y regla de las 50 jugadas',
    chat: 'Chat de los jugadores',
    watchers: 'Quién puede mirar',
    admission: 'Quién puede sentarse',
    hotseat: 'Un dispositivo',
    setup: 'Posición inicial',
    host: 'Anfitrión',
  },
  casual: 'Amistosa',
  rated: 'Por puntos',
  ratingRange: ({ min, max }) =>
    min !== undefined && max !== undefined ? `${min}–${max}` : min !== undefined ? `desde ${min}` : `hasta ${max ?? ""}`,
  seating: withFallback({ chosen: 'A elegir', drawn: 'Al azar' }, 'Otro'),
  limit: (ms) => (ms === undefined || ms === 0 ? 'Sin límite' : span(ms)),
  absence: withFallback({ eliminate: 'Eliminarlo', wait: 'Esperar', bot: 'Lo sustituye un bot' }, 'Otro'),
  draws: withFallback({ claim: 'Al reclamar', automatic: 'Automáticas' }, 'Otro'),
  chat: withFallback({ on: 'Sí', phrases: 'Solo frases rápidas', off: 'No' }, 'Otro'),
  watchers: withFallback({ everybody: 'Todos', link: 'Con enlace', nobody: 'Nadie' }, 'Otro'),
  admission: withFallback({ open: 'Todos', invite: 'Con invitación' }, 'Otro'),
  limitShort: (ms) => `${span(ms)} por jugada`,
  drawnSeats: 'Asientos al azar',
  ownSetup: 'Posición inicial propia',
  oneScreen: 'Un dispositivo',
  hotseat: { no: 'Un asiento por jugador', yes: 'Varios asientos en esta pantalla' },
  yes: 'Sí',
  title: 'Ajustes de la mesa',
};
