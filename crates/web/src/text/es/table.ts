import type { Catalogue } from '../index.ts';
import { counted, left, list } from './amounts.ts';
import { colors, The, the, variants } from './game.ts';

/** The possible numbers of players, as words. */
const NUMBERS: Partial<Record<number, string>> = { 2: 'los dos', 3: 'los tres', 4: 'los cuatro' };

export const table: Catalogue['table'] = {
  waiting: 'Esperando jugadores',
  closed: 'Esta mesa está cerrada',
  closedHint: 'No hubo nadie aquí durante un rato. Sus partidas aún se pueden ver.',
  closedByModerator: (reason: string) => `La moderación la cerró: ${reason}`,
  seatsTaken: (held, all) => `${held} de ${counted(all, { one: 'asiento ocupado', other: 'asientos ocupados' })}`,
  yourMove: 'Tu turno',
  toMove: (color) => `Juegan ${the(color)}`,
  wins: (color) => `Ganan ${the(color)}`,
  youWin: '¡Ganaste!',
  drawn: 'Tablas',
  aborted: 'Cancelada',
  drawnAmong: (among) => `Tablas: ${list(among.map((color) => the(color)))}`,
  openSeat: 'Libre',
  sit: 'Sentarse',
  sitAny: 'Siéntate',
  leave: 'Dejar tu asiento',
  host: 'anfitrión',
  kick: 'Expulsar',
  kickPlayer: (name) => `Expulsar a ${name}`,
  kickTitle: (name) => `¿Expulsar a ${name}?`,
  kickHint: 'El asiento queda libre. No podrá volver a esta mesa.',
  you: 'tú',
  presence: { connected: 'en línea', reconnecting: 'reconectando', gone: 'ausente' },
  reconnecting: (seconds) => `Ausente, ${seconds} s`,
  gone: 'Ausente',
  firstMove: 'Primera jugada',
  firstMoveWithin: 'Tiempo para la primera jugada',
  moveWithin: 'Tiempo para esta jugada',
  inCheck: (checked, you) => {
    if (checked.length === 1 && checked[0] === you) return 'Estás en jaque';
    if (checked.length === 1) return `${checked.map((color) => The(color)).join('')} en jaque`;
    return `En jaque: ${list(checked.map((color) => (color === you ? 'tú' : the(color))))}`;
  },
  facingMate: (facing, you) => {
    if (facing.length === 1 && facing[0] === you) return 'Recibirás mate si nadie te ayuda antes de tu turno.';
    const names = list(facing.map((color) => (color === you ? 'tú' : the(color))));
    return `Mate si nadie ayuda antes de su turno: ${names}.`;
  },
  stalemated: (color, players) =>
    `${The(color)} no pueden mover y no están en jaque: tablas para ${NUMBERS[players] ?? `los ${players}`}`,
  delay: (seconds) => `${seconds} s hasta que corra el reloj`,
  rules: (variant) => `Reglas: ${variants[variant].name}`,
  newMessages: (count) => counted(count, { one: 'mensaje nuevo', other: 'mensajes nuevos' }),
  /** The note at the user's own seat, which has little room. */
  ownTurn: 'Tu turno',
  turn: 'Le toca',
  invited: 'Tienes una invitación: elige un asiento.',
  chooseSeat: 'Elige un asiento para jugar.',
  seatedHint: 'La partida empieza cuando todos los asientos estén ocupados.',
  share: 'Compartir esta mesa',
  watchHint: 'Cualquiera con este enlace puede mirar.',
  spectators: (count) => counted(count, { one: 'espectador', other: 'espectadores' }),
  loading: 'Abriendo la mesa…',
  notFound: 'Mesa no encontrada',
  accessEnded: 'Ya no puedes ver esta mesa',
  notFoundHint: 'Quizá el enlace esté mal, se haya usado o haya caducado, o la mesa sea privada y el enlace no sea tuyo.',
  board: 'Tablero',
  boardView: (players, color, isOwn) =>
    `Tablero de ${players === 2 ? 'dos' : 'cuatro'} jugadores, ${isOwn ? `juegas con ${the(color)}, abajo` : `${the(color)} están abajo`}`,
  boardWith: (counts) => `Tablero: ${counts.map(([color, count]) => `${colors[color].toLowerCase()} ${count}`).join(', ')}`,
  moves: 'Jugadas',
  inPassing: 'a.p.',
  noMoves: 'Todavía no hay jugadas',
  result: 'Clasificación final',
  reserve: 'Reserva',
  lamps: { check: 'Jaque', mate: 'Mate' },
  captured: 'Capturadas',
};

export const links: Catalogue['links'] = {
  watchers: 'Invitar espectadores',
  hint: 'Solo quien tiene un enlace puede ver esta mesa.',
  seat: (color) => `Asiento de ${the(color)}`,
  anySeat: 'Cualquier asiento',
  spectator: 'Espectador',
  create: 'Crear enlace',
  ownLinks: 'Tus enlaces',
  used: 'usado',
  expiresIn: (left_ms) => `caduca en ${left(left_ms)}`,
  revoke: 'Anular',
};
