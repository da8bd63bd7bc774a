import type { Catalogue } from '../index.ts';
import { capitalize } from '../capitalize.ts';
import { withFallback } from '../with-fallback.ts';
import { counted, day, list } from './amounts.ts';
import { piece, The, the, thePiece } from './game.ts';

const out = withFallback(
  {
    mate: 'no tenían salida: su ejército deja el tablero',
    resign: 'se rinden',
    time: 'se quedan sin tiempo',
    absence: 'quedan eliminadas: desconexión',
  },
  'quedan eliminadas',
);

export const events: Catalogue['events'] = {
  move: (color, role, from, target) => `${capitalize(piece(color, role))} de ${from} a ${target}`,
  castles: (color, side) => `${The(color)} enrocan en ${side === 'short' ? 'corto' : 'largo'}`,
  captures: (color, role) => `captura ${thePiece(color, role)}`,
  promotes: (role) => `corona ${{ P: 'peón', N: 'caballo', B: 'alfil', R: 'torre', Q: 'dama', K: 'rey' }[role]}`,
  check: (checked, you) => `jaque ${list(checked.map((color) => (color === you ? 'a ti' : `a ${the(color)}`)))}`,
  seated: (color, name) => `${name} juega con ${the(color)}`,
  vacated: (color) => `El asiento de ${the(color)} vuelve a estar libre`,
  host: (name) => `${name} es ahora el anfitrión`,
  rematchAgreed: (color) => `${The(color)} también quieren la revancha`,
  rematched: 'Empieza la siguiente partida',
  closed: 'La mesa está cerrada',
  closedByModerator: (reason: string) => `La moderación cerró la mesa: ${reason}`,
  started: (color) => `Empiezan ${the(color)}`,
  eliminated: (color, cause) => `${The(color)} ${out[cause]}`,
  takenBack: (plies) => (plies === 1 ? 'Se deshizo una jugada' : `Se deshicieron ${counted(plies, { one: 'jugada', other: 'jugadas' })}`),
  paused: 'La partida está en pausa',
  waiting: (color) => `Esperando a ${the(color)}`,
  resuming: (color) =>
    color === null ? 'Se acabó la pausa; se reanuda en 10 s' : `${The(color)} terminan la pausa; se reanuda en 10 s`,
  resumed: 'Se reanuda la partida',
  vacationStarted: (color, until_ms) => `${The(color)} están de vacaciones hasta el ${day(until_ms)}`,
  vacationEnded: (color) => `${The(color)} han vuelto de vacaciones`,
  stoodIn: (color, name) => `${name} sustituye a ${the(color)}`,
  returned: (color) => `${The(color)} están de vuelta`,
  aborted: (reason) => `Cancelada: ${reason}`,
  noFirstMove: (color) => `${the(color)} no hicieron su primera jugada a tiempo`,
};
