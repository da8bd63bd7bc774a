import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';

const form = pluralForms('es');

export const pairs: Catalogue['pairs'] = {
  hint: 'En partidas puntuadas de cuatro, estas parejas se capturan y se dan jaque menos de lo que hace esperar su juego contra otros. Es un motivo para mirar sus partidas, pero no una prueba. El indicio es el número de desviaciones típicas por debajo de lo esperado.',
  none: 'Ninguna pareja llama la atención.',
  score: (points) => `Indicio ${points}`,
  matches: (count) => form(count, { one: '1 partida en común', other: `${count} partidas en común` }),
  last: (day) => `la última, el ${day}`,
  together: 'Partidas en común',
  against: (name) => `contra ${name}`,
  action: 'Acción',
  actual: 'Recuento',
  expected: 'Esperado',
  actions: { captures: 'Capturas', checks: 'Jaques', eliminations: 'Mates dados' },
};
