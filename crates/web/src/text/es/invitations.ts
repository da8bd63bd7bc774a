import type { Catalogue } from '../index.ts';
import { list } from './amounts.ts';
import { variants } from './game.ts';

export const invitations: Catalogue['invitations'] = {
  title: 'Invitaciones',
  from: (name) => `${name} te invita a jugar`,
  invitesYou: 'te invita',
  with: (items) => `con ${list(items)}`,
  accept: 'Aceptar',
  acceptFrom: (name) => `Aceptar la invitación de ${name}`,
  decline: 'Rechazar',
  declineFrom: (name) => `Rechazar la invitación de ${name}`,
  later: 'Decidir más tarde. La invitación sigue en la página de inicio.',
  players: 'Invitar a jugadores',
  noPlayers: 'Aquí puedes invitar a los jugadores que sigues y a tus últimos rivales.',
  inviteShort: 'Invitar',
  invite: (name) => `Invitar a ${name}`,
  invited: 'Invitación enviada',
  declined: 'Invitación rechazada',
  withdraw: 'Retirar',
  withdrawFrom: (name) => `Retirar la invitación de ${name}`,
  sent: (items) => `Invitaciones enviadas: ${list(items)}`,
  toTable: (variant, clock) => `A tu mesa abierta: ${variants[variant].name}, ${clock}`,
  again: 'Invitar de nuevo',
  againHint: 'Abre una mesa nueva con los mismos ajustes e invita a los demás jugadores.',
};
