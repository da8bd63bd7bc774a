import type { Catalogue } from '../index.ts';
import { the } from './game.ts';

export const invite: Catalogue['invite'] = {
  title: 'Invita a tus amigos',
  hint: 'Quien abra este enlace recibe un asiento libre.',
  link: 'Enlace de invitación',
  copy: 'Copiar enlace de invitación',
  share: 'Compartir',
  shareText: '¡Ven a jugar al ajedrez conmigo!',
  qr: 'Código QR',
  qrLabel: 'Código QR del enlace de invitación',
  onlyThisComputer:
    'Esta dirección solo funciona en este equipo. Para jugar con amigos en tu red, inicia el servidor con',
  otherLinks: 'Otros enlaces',
  visitors: 'Abierto por',
  opened: (clock) => `a las ${clock}`,
  seated: (color) => `juega con ${the(color)}`,
  fill: (bot) => `Añadir bots (${bot})`,
  noSeat: 'No hay asiento para ti',
  watching: 'Estás de espectador.',
  kicked: 'El anfitrión te expulsó de esta mesa',
  kickedHint: 'Ya no puedes sentarte aquí.',
  linkUnusable: 'Este enlace ya no sirve',
  linkUnusableHint: 'Ya se usó, se anuló o caducó. Pide uno nuevo al anfitrión.',
  refusals: {
    bad_invite: 'Este enlace ya se usó, se anuló o caducó. Pide uno nuevo al anfitrión.',
    seat_taken: 'Otra persona ocupó el asiento de este enlace.',
    table_full: 'Todos los asientos están ocupados.',
    already_started: 'La partida ya ha empezado.',
    ended: 'La partida ha terminado.',
  },
};
