import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';
import { number, remaining } from './amounts.ts';

const form = pluralForms('es');

export const games: Catalogue['games'] = {
  title: 'Tus partidas',
  groups: {
    yourMove: 'Te toca jugar',
    theirMove: 'Esperando a otros',
    hosted: 'Eres el anfitrión',
    open: 'Sin empezar',
  },
  waiting: (count) => {
    if (count === 0) return 'No te toca jugar en ninguna partida.';
    return form(count, { one: 'Te toca jugar en 1 partida.', other: `Te toca jugar en ${number(count)} partidas.` });
  },
  left: (left_ms) => `Quedan ${remaining(left_ms)}`,
  toMove: (name) => (name === '' ? 'En curso' : `Juega ${name}`),
  next: 'Siguiente partida',
  nextOfWaiting: (count) => form(count, { one: 'Siguiente partida: te toca jugar en 1 partida.', other: `Siguiente partida: te toca jugar en ${number(count)} partidas.` }),
  nextAfter: (place, count) => `Siguiente partida: esta es la ${number(place)} de ${number(count)} en que te toca jugar.`,
  none: 'Ahora no estás jugando ninguna partida.',
  start: 'Empezar una partida',
  loading: 'Cargando tus partidas…',
  all: 'Todas tus partidas',
};
