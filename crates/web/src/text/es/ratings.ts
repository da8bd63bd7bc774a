import type { Speed } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';
import { withFallback } from '../with-fallback.ts';
import { number } from './amounts.ts';
import { variants } from './game.ts';

const form = pluralForms('es');

const speeds = withFallback<Speed, string>(
  {
    bullet: 'Bala',
    blitz: 'Relámpago',
    rapid: 'Rápida',
    classical: 'Clásica',
    correspondence: 'Por correspondencia',
  },
  'Otra',
);

export const ratings: Catalogue['ratings'] = {
  title: 'Clasificación',
  tagline: 'Los mejores jugadores de cada juego, en cada ritmo.',
  filters: 'Juego y ritmo',
  speeds,
  kind: (variant, speed) => `${variants[variant].name} · ${speeds[speed]}`,
  rank: 'Puesto',
  player: 'Jugador',
  rating: 'Puntuación',
  matches: 'Partidas',
  you: 'Tú',
  provisional: 'Provisional: el jugador ha jugado muy pocas partidas por puntos últimamente.',
  none: 'Todavía no hay nadie en esta clasificación.',
  rule: (count) => `Aparecen los jugadores con al menos ${count} partidas por puntos y una puntuación estable.`,
  missingMatches: (count) => form(count, { one: 'Te falta 1 partida por puntos para aparecer aquí.', other: `Te faltan ${count} partidas por puntos para aparecer aquí.` }),
  stillProvisional: 'Tu puntuación todavía es provisional. Juega más partidas por puntos para aparecer aquí.',
  notAmongBest: (count) => `Solo aparecen los ${count} mejores jugadores.`,
  unrated: 'Todavía no tienes puntuación aquí. Para conseguirla, elige «Por puntos» al crear una mesa.',
  onlyAccounts: 'Solo los jugadores con cuenta tienen puntuación.',
  loading: 'Cargando puntuaciones…',
  section: 'Puntuaciones',
  game: 'Juego',
  best: 'Mejor',
  show: (name) => `Mostrar la evolución: ${name}`,
  history: (name) => `Evolución de la puntuación: ${name}`,
  chart: (from, to, lowest, highest, count) =>
    form(count, {
      one: `${to} tras 1 partida por puntos.`,
      other: `De ${from} a ${to} en ${number(count)} partidas por puntos. Mínimo ${lowest}, máximo ${highest}.`,
    }),
  asTable: 'Mostrar como tabla',
  date: 'Fecha',
  change: 'Cambio',
  after: (rating) => `Puntuación tras la partida: ${rating}`,
  expectedPlaces: 'Puntuaciones y puestos esperados',
  toLeaderboard: 'A la clasificación',
};
