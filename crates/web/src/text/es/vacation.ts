import type { Catalogue } from '../index.ts';
import { day, dayAndMonth, number } from './amounts.ts';

/** Las vacaciones. */
export const vacation: Catalogue['vacation'] = {
  title: 'Vacaciones',
  hint: 'Mientras estás de vacaciones, tus relojes en las partidas por correspondencia se detienen.',
  left: (count) => (count === 1 ? 'Te queda 1 día este año.' : `Te quedan ${number(count)} días este año.`),
  noneLeft: 'Has gastado todos tus días de vacaciones de este año.',
  duration: 'Días',
  start: 'Empezar vacaciones',
  on: (until_ms) => `Estás de vacaciones hasta el ${day(until_ms)}.`,
  endHint: 'Los días empezados cuentan, al menos uno.',
  end: 'Terminar vacaciones',
  until: (until_ms) => `Vuelve ${dayAndMonth(until_ms)}`,
};
