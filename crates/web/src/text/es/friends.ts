import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';

const form = pluralForms('es');

export const friends: Catalogue['friends'] = {
  title: 'Amigos',
  hint: 'Sigue a otros jugadores para saber cuándo están en línea y ver sus partidas.',
  followed: 'Jugadores que sigues',
  none: 'Todavía no sigues a nadie. Abre el perfil de un jugador para seguirlo.',
  online: 'En línea',
  offline: 'Desconectado',
  playing: 'Jugando ahora',
  watch: (name) => `Ver jugar a ${name}`,
  opponents: 'Últimos rivales',
  noOpponents: 'Todavía no has jugado con otras personas.',
  matches: (count, day) => form(count, { one: `1 partida, el ${day}`, other: `${count} partidas, la última el ${day}` }),
};
