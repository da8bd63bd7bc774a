import type { Catalogue } from '../index.ts';
import { counted } from './amounts.ts';
import { colors } from './game.ts';

export const review: Catalogue['review'] = {
  title: 'Revisión',
  intro: 'Mira cómo cambiaron las probabilidades de cada jugador y dónde había una jugada mejor.',
  request: 'Pedir revisión',
  waiting: (ahead) =>
    ahead === 0 ? 'Esperando al motor…' : `En espera: ${counted(ahead, { one: 'revisión', other: 'revisiones' })} antes`,
  running: (done, of) => `Revisando: ${done} de ${counted(of, { one: 'jugada', other: 'jugadas' })}`,
  chances: 'Probabilidad de ganar',
  graph: (place, list) => `Gráfico de la probabilidad de ganar. ${place}: ${list}`,
  swings: 'Errores y errores graves',
  none: 'No se encontraron errores.',
  kinds: { mistake: 'Error', blunder: 'Error grave' },
  move: (ply, color, move) => `Jugada ${ply}, ${colors[color].toLowerCase()}: ${move}`,
  loss: (kind, percent) => `${kind}, −${percent}`,
  best: (line) => `Lo mejor era ${line}`,
  thresholds: 'Un error cuesta 10 puntos porcentuales de la probabilidad de ganar; un error grave, 15 o más, como en lichess.',
};
