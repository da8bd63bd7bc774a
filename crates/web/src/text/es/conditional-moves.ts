import type { Catalogue } from '../index.ts';
import { colors } from './game.ts';

/** Jugadas condicionales en partidas por correspondencia. */
export const conditional: Catalogue['conditional'] = {
  title: 'Jugadas condicionales',
  hint: 'Planea tus respuestas. En cuanto los rivales hagan las jugadas que esperas, la tuya se juega al momento. Solo tú puedes verlas.',
  add: 'Añadir una línea',
  ownTurn: 'Primero haz tu jugada y luego planea las respuestas.',
  remove: 'Eliminar esta línea',
  step: (color, move) => `${colors[color]}: ${move ?? 'cualquier jugada'}`,
  planned: (count) => (count === 1 ? '1 línea' : `${count} líneas`),
  played: (count) => (count === 1 ? 'Se ha jugado 1 jugada por ti' : `Se han jugado ${count} jugadas por ti`),
  editor: 'Línea nueva',
  expect: (color) => `¿Qué jugada esperas de ${colors[color]}?`,
  reply: '¿Tu respuesta?',
  saveHint: 'Guarda la línea o sigue con la próxima jugada.',
  any: 'Cualquier jugada',
  anyHint: (color) => `${colors[color]} no ha movido aquí: tu respuesta se juega tras cualquier jugada, si entonces es legal.`,
  back: 'Deshacer',
  save: 'Guardar línea',
  over: 'Después de esta jugada no puede seguir nada.',
  board: 'Tablero para planear',
};
