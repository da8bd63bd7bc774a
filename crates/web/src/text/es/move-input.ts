import type { Cause, Color } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { capitalize } from '../capitalize.ts';
import { withFallback } from '../with-fallback.ts';
import { list } from './amounts.ts';
import { isFeminine, piece, roles, The, the, thisPiece } from './game.ts';

export const play: Catalogue['play'] = {
  input: 'Escribe una jugada',
  hint: 'h2h4',
  unreadable: (typed) => `«${typed}» no es una jugada. Prueba con h2h4.`,
  illegal: (typed) => `${typed} no es legal ahora.`,
  notNow: 'No es tu turno.',
  premove: (from, target) => `Jugada anticipada ${from}-${target}`,
  premoveCancel: 'Cancelar jugada anticipada',
  premoveDropped: (from, target) => `Tu jugada anticipada ${from}-${target} no es legal y se canceló.`,
  premoveNotNeeded: (from, target) => `No se capturó nada en ${target}: tu jugada anticipada ${from}-${target} se canceló.`,
  submit: 'Jugar',
  stuck: {
    pinned: (role) => `${capitalize(thisPiece(role))} está ${isFeminine(role) ? 'clavada' : 'clavado'}: si se moviera, tu rey quedaría en jaque.`,
    check: (role) => `Estás en jaque, y ${thisPiece(role)} no puede evitarlo.`,
    blocked: (role) =>
      role === 'K' ? 'Tu rey no tiene ninguna casilla libre y segura.' : `${capitalize(thisPiece(role))} no tiene ninguna casilla libre.`,
  },
  neighborEnPassant: (square) =>
    `¿Por qué no se captura al paso en ${square}? Aquí solo vale contra el jugador de enfrente, no contra un vecino.`,
  stalemateWarning:
    'El siguiente jugador no podría mover y no estaría en jaque. Eso es ahogado: tablas para todos los que siguen en juego.',
  playAnyway: 'Jugar de todos modos',
  unsent: 'Sin conexión: tu jugada espera',
  unsentMove: (from, target) => `${from}-${target} se enviará en cuanto vuelvas a tener conexión.`,
  confirm: (from, target) => `¿Jugar ${from}-${target}?`,
  promote: 'Coronar',
  promotion: (role, left) => (left === null ? `Coronar ${roles[role]}` : `Coronar ${roles[role]}, ${left} en la reserva`),
  promotionNone: (role) =>
    `${capitalize(roles[role])}: 0 en la reserva, porque no te capturaron ${isFeminine(role) ? 'ninguna' : 'ninguno'}`,
  promotionHint: 'Dama siempre; otras, solo si las perdiste.',
  resign: 'Rendirse',
  resignTitle: '¿Rendirte?',
  resignHintMany: 'Tu ejército deja el tablero y los demás siguen jugando. No se puede deshacer.',
  resignHintTwo: 'La partida termina y gana tu rival.',
  eliminatedBy: withFallback<Cause, (by: readonly Color[]) => string>(
    {
      mate: (by) => (by.length === 0 ? 'Te dieron jaque mate.' : `Jaque mate de ${list(by.map((color) => the(color)))}.`),
      resign: () => 'Te rendiste.',
      time: () => 'Se te acabó el tiempo.',
      absence: () => 'Estuviste demasiado tiempo sin conexión.',
    },
    () => 'Has quedado fuera.',
  ),
  ownPlace: (place) => `Tu puesto: ${place}`,
  eliminatedHint: 'Los demás siguen jugando. Puedes mirar y hablar con los espectadores, o salir.',
  keepPlaying: 'Seguir jugando',
};

export const hotseat: Catalogue['hotseat'] = {
  turnsBoard: 'Girar el tablero hacia quien tiene el turno',
  moreSeats: 'Puedes jugar más asientos en esta pantalla: pulsa «Sentarse» en uno libre.',
  leaveSeats: 'Dejar tus asientos',
  leaveSeat: 'Dejar',
  leaveSeatOf: (color) => `Dejar el asiento de ${the(color)}`,
  resignWhich: '¿Quién se rinde?',
  resignTitle: (color) => `¿Rendirte con ${the(color)}?`,
  resignAs: (color) => `${The(color)} se rinden`,
};

export const square: Catalogue['square'] = {
  empty: 'vacía',
  piece,
  pickedUp: 'pieza en la mano',
  target: 'jugada legal',
  premove: 'jugada anticipada',
  drawn: 'marcada',
  check: 'en jaque',
};
