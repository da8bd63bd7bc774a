import type { ReportReason } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';

export const people: Catalogue['people'] = {
  open: (name) => `${name}: perfil y acciones`,
  profile: 'Perfil',
  more: 'Acciones…',
  follows: {
    add: 'Seguir',
    remove: 'Dejar de seguir',
    added: (name) => `Ahora sigues a ${name}.`,
    removed: (name) => `Ya no sigues a ${name}.`,
  },
  mutes: {
    list: 'Silenciados',
    add: 'Silenciar',
    remove: 'Dejar de silenciar',
    added: (name) => `Has silenciado a ${name}. Ya no ves sus mensajes.`,
    removed: (name) => `${name} ya no está silenciado.`,
  },
  blocks: {
    list: 'Bloqueados',
    add: 'Bloquear',
    remove: 'Desbloquear',
    added: (name) => `Has bloqueado a ${name}. Ya no ves sus mensajes, y no puede sentarse a tus mesas.`,
    removed: (name) => `${name} ya no está bloqueado.`,
  },
  listTitle: 'Jugadores bloqueados y silenciados',
  listHint: 'No ves sus mensajes. Además, los bloqueados no pueden sentarse a tus mesas. No se les avisa.',
  report: 'Denunciar…',
  reportTitle: (name) => `Denunciar a ${name}`,
  reason: '¿Qué ha pasado?',
  reasons: withFallback<ReportReason, string>(
    {
      chat: 'Insultos o spam en el chat',
      cheating: 'Trampas',
      unfair_play: 'Juego desleal',
      stalling: 'Demora intencionada',
      name: 'Nombre ofensivo',
      other: 'Otra cosa',
    },
    'Otra cosa',
  ),
  reasonHints: {
    chat: 'Insultos, amenazas, odio o publicidad.',
    cheating: 'Ayuda de un motor de ajedrez o de otra persona.',
    unfair_play: 'Acuerdos secretos, perder a propósito o usar varias cuentas.',
    stalling: 'Dejar correr el reloj en una posición perdida.',
    name: 'El nombre insulta a otros o finge ser otra persona.',
    other: 'Descríbelo abajo, por favor.',
  },
  details: 'Detalles (opcional)',
  momentHint: 'Se envían también la partida y este momento. El jugador no sabrá quién lo ha denunciado.',
  noMoment: 'Si se trata de una partida, ábrela y pulsa allí el nombre del jugador.',
  send: 'Enviar denuncia',
  thanks: 'Gracias. Un moderador lo revisará.',
};
