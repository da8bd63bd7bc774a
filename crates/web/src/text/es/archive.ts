import type { Catalogue } from '../index.ts';
import { counted } from './amounts.ts';
import { variants } from './game.ts';

export const archive: Catalogue['archive'] = {
  title: 'Archivo',
  tagline: 'Las partidas públicas de este servidor, para verlas jugada a jugada.',
  filters: 'Filtros',
  allVariants: 'Todas las variantes',
  everybody: 'Todos',
  mine: 'Mis partidas',
  player: 'El nombre del jugador empieza por',
  search: 'Buscar',
  anyPlayer: 'Cualquier nombre',
  running: 'En vivo',
  decisiveBoard: 'Posición decisiva',
  loadFailed: 'No se pudieron cargar las partidas.',
  tryAgain: 'Reintentar',
  loading: 'Cargando partidas…',
  showMore: 'Mostrar más',
  none: 'Todavía no hay partidas públicas.',
  noneFiltered: 'Ninguna partida coincide.',
  showAll: 'Mostrar todas las partidas',
};

export const player: Catalogue['player'] = {
  since: (day) => `Se unió el ${day}`,
  you: 'Eres tú',
  standings: 'Resultados',
  played: (count) => counted(count, { one: 'partida', other: 'partidas' }),
  won: 'victorias',
  sharedFirst: '1.º compartido',
  places: (variant, counts) => `Puestos en ${variants[variant].name}: ${counts}`,
  noneEnded: 'Todavía no hay partidas terminadas.',
  playing: 'Jugando ahora',
  matches: 'Partidas',
  all: 'Todas sus partidas en el archivo',
  notFound: 'Jugador no encontrado',
  loading: 'Cargando jugador…',
};
