import type { Catalogue } from '../index.ts';
import { counted, list } from './amounts.ts';
import { the, variants } from './game.ts';

export const lobby: Catalogue['lobby'] = {
  title: 'Sala',
  headline: 'Ajedrez para cuatro',
  tagline: 'Cuatro ejércitos, un tablero en cruz. Gana el último rey en pie.',
  newTable: 'Nueva mesa',
  playNow: (variant) => `Jugar ${variants[variant].name} ya`,
  ownTables: 'Tus mesas',
  openTables: 'Mesas abiertas',
  runningMatches: 'En vivo',
  moreMatches: 'Más partidas en vivo',
  noLongerOpen: 'Ya no está abierta',
  viewTable: 'Ver',
  oneScreen: 'Jugar en un dispositivo',
  fromArchive: 'Ver una partida pasada',
  loading: 'Cargando mesas…',
  noneOpen: 'Nadie espera ahora mismo. ¡Abre una mesa!',
  noneRunning: 'No hay más partidas en vivo ahora mismo.',
  sit: (color) => `Sentarse con ${the(color)}`,
  watch: 'Ver',
  openTable: 'Abrir',
  resume: 'Volver',
  hostedBy: (name) => `de ${name}`,
  seatsTaken: (held, all) => `${held} de ${counted(all, { one: 'asiento ocupado', other: 'asientos ocupados' })}`,
  moves: (plies) => counted(plies, { one: 'jugada', other: 'jugadas' }),
  private: 'Privada',
  moreTables: (hidden) => `Y ${counted(hidden, { one: 'mesa', other: 'mesas' })} más`,
  loadFailed: 'No se pudieron cargar las mesas.',
};

export const playPanel: Catalogue['playPanel'] = {
  game: 'Juego',
  players: (count) => counted(count, { one: 'jugador', other: 'jugadores' }),
  computer: 'Jugar contra la máquina',
  computerHint: 'Empieza al instante',
  friends: 'Jugar con amigos',
  friendsHint: 'Comparte un enlace',
  people: 'Buscar jugadores',
  peopleHint: 'Siéntate y otros se unirán',
  rated: 'Partida por puntos',
  learn: 'Aprende en dos minutos',
  online: (count) => `${counted(count, { one: 'jugador', other: 'jugadores' })} en línea`,
  waiting: (count) => counted(count, { one: 'mesa en espera', other: 'mesas en espera' }),
  today: (count) => `${counted(count, { one: 'partida', other: 'partidas' })} hoy`,
};

export const showcase: Catalogue['showcase'] = {
  label: 'Una partida de cuatro jugadores',
  open: 'Ver esta partida',
  live: 'En vivo',
  recent: 'Partida reciente',
  demo: 'Partida entre bots',
  pause: 'Pausar la reproducción',
  play: 'Reanudar la reproducción',
};

export const calls: Catalogue['calls'] = {
  started: 'Tu partida ha empezado',
  goToMatch: 'Ir',
  inMatch: (variant, others) => (others.length === 0 ? variants[variant].name : `${variants[variant].name} con ${list([...others])}`),
  more: (count) => `+${count} más`,
};

export const waitingOffer: Catalogue['waitingOffer'] = {
  title: '¿Sigues esperando jugadores?',
  hint: 'Conservas tu asiento mientras miras otras páginas: cuando empiece la partida, te avisamos.',
  fillWithBots: 'Completar con bots y empezar',
  join: (variant, taken, all) => `Unirse a ${variants[variant].name} · ${taken} de ${all} asientos ocupados`,
};

export const newTableDialog: Catalogue['newTableDialog'] = {
  title: 'Nueva mesa',
  variant: 'Juego',
  privacy: 'Quién puede unirse',
  public: 'Todos',
  publicHint: 'Aparece en la sala',
  private: 'Solo con enlace',
  privateHint: 'No aparece en ningún sitio',
  seat: 'Tu asiento',
  randomSeat: 'Al azar',
  noSeat: 'Ninguno',
  time: 'Reloj',
  preset: ({ clock, base_minutes, extra_seconds }) =>
    ({ none: 'Sin reloj', correspondence: 'Días', fischer: `${base_minutes} + ${extra_seconds}`, delay: `${base_minutes} | ${extra_seconds}` })[clock],
  presetHint: ({ clock }) =>
    ({ none: 'Sin prisas', correspondence: 'por jugada', fischer: 'incremento', delay: 'retardo' })[clock],
  custom: 'Otro',
  customHint: 'A tu gusto',
  clockKind: 'Tipo de reloj',
  fischer: 'Incremento',
  delay: 'Retardo',
  base: 'Minutos por jugador',
  increment: 'Incremento por jugada (segundos)',
  delaySeconds: 'Retardo por jugada (segundos)',
  days: 'Días por jugada',
  casualHint: 'Solo por diversión',
  ratedHint: 'Cambia tu puntuación',
  minRating: 'Puntuación mínima',
  maxRating: 'Puntuación máxima',
  anyRating: 'Cualquiera',
  ratedObstacles: {
    account: 'Las partidas por puntos son para jugadores con cuenta.',
    bots: 'Las partidas con bots son amistosas.',
    clocks: 'Las partidas por puntos necesitan reloj.',
    hotseat: 'En una partida por puntos cada jugador ocupa un asiento.',
    setup: 'Las partidas por puntos empiezan en la posición normal.',
  },
  more: 'Más ajustes',
  setup: 'Posición inicial (FEN o FEN4)',
  setupHint: 'Déjalo vacío para la posición normal',
  create: 'Crear mesa',
};
