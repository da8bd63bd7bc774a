import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';
import { list } from './amounts.ts';
import { The, the, variants } from './game.ts';

const knownRequests: Catalogue['requests'] = {
  draw: {
    ask: 'Ofrecer tablas',
    accept: 'Aceptar tablas',
    decline: 'Rechazar',
    seatAsks: '¿Tablas?',
    seatAgrees: 'De acuerdo',
    sentences: {
      requested: (color) => `${The(color)} ofrecen tablas`,
      agreed: (color) => `${The(color)} aceptan las tablas`,
      declined: (color) => `${The(color)} rechazan las tablas`,
    },
    ownRequest: 'Ofreciste tablas',
  },
  takeback: {
    ask: 'Deshacer jugada',
    accept: 'Permitir deshacer',
    decline: 'Rechazar',
    seatAsks: '¿Deshacer?',
    seatAgrees: 'De acuerdo',
    sentences: {
      requested: (color) => `${The(color)} piden deshacer su jugada`,
      agreed: (color) => `${The(color)} permiten deshacer la jugada`,
      declined: (color) => `${The(color)} no permiten deshacer la jugada`,
    },
    ownRequest: 'Pediste deshacer tu jugada',
  },
  pause: {
    ask: 'Pausa',
    accept: 'Aceptar pausa',
    decline: 'Rechazar',
    seatAsks: '¿Pausa?',
    seatAgrees: 'De acuerdo',
    sentences: {
      requested: (color) => `${The(color)} piden una pausa`,
      agreed: (color) => `${The(color)} aceptan la pausa`,
      declined: (color) => `${The(color)} rechazan la pausa`,
    },
    ownRequest: 'Pediste una pausa',
  },
  abort: {
    ask: 'Cancelar partida',
    accept: 'Aceptar cancelar',
    decline: 'Seguir jugando',
    seatAsks: '¿Cancelar?',
    seatAgrees: 'De acuerdo',
    sentences: {
      requested: (color) => `${The(color)} piden cancelar la partida`,
      agreed: (color) => `${The(color)} aceptan cancelar la partida`,
      declined: (color) => `${The(color)} quieren seguir jugando`,
    },
    ownRequest: 'Pediste cancelar la partida',
  },
};

/** A kind of a later version. */
const otherRequest: Catalogue['requests']['draw'] = {
  ask: 'Petición',
  accept: 'Aceptar',
  decline: 'Rechazar',
  seatAsks: '¿Petición?',
  seatAgrees: 'Aceptan',
  sentences: {
    requested: (color) => `${The(color)} tienen una petición`,
    agreed: (color) => `${The(color)} aceptan`,
    declined: (color) => `${The(color)} rechazan`,
  },
  ownRequest: 'Has hecho una petición',
};

export const requests = withFallback(knownRequests, otherRequest);

export const request: Catalogue['request'] = {
  open: 'Peticiones abiertas',
  agreed: 'Aceptaste',
  waits: (waiting) => `Esperando a ${list(waiting.map((color) => the(color)))}`,
  abortTitle: '¿Cancelar la partida?',
  abortHint: 'Si todos los que siguen en juego están de acuerdo, la partida termina sin resultado.',
  abortAsk: 'Preguntar a los demás',
  claim: 'Reclamar tablas',
  claimWithMove: 'Reclamar tablas con mi jugada',
};

export const postGame: Catalogue['postGame'] = {
  title: '¿Y ahora?',
  rematch: 'Revancha',
  rematchRequested: 'Revancha pedida',
  decline: 'Rechazar revancha',
  ownRequest: 'Pediste la revancha',
  wantsRematch: (color) => `${The(color)} quieren la revancha`,
  declinesRematch: (color) => `${The(color)} no quieren la revancha`,
  newMatch: (variant) => `Nueva partida: ${variants[variant].name}`,
  newMatchHint: 'Con quien esté esperando.',
  sameBotsHint: 'Contra los mismos bots, al instante.',
  newPrivateTable: 'Nueva mesa privada',
  newPrivateTableHint: 'Con los mismos ajustes, solo por invitación.',
  watch: 'Seguir mirando',
  leave: 'Salir',
  replay: 'Ver la repetición',
  record: 'Descargar el registro',
};

export const suspension: Catalogue['suspension'] = {
  paused: 'En pausa',
  pausedHint: (left) => `Se reanuda sola en ${left}.`,
  resume: 'Reanudar',
  resuming: 'Reanudando',
  resumingHint: (color) => (color === null ? 'Se agotó el tiempo de pausa.' : `${The(color)} terminaron la pausa.`),
  waiting: (color) => `Esperando a ${the(color)}`,
  waitingHint: (left) => `La partida sigue cuando vuelva el jugador; si no vuelve, se cancela en ${left}.`,
  waitingForYou: 'Los demás te esperan.',
};
