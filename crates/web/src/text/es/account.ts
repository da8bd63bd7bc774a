import type { Catalogue } from '../index.ts';
import { pluralForms } from '../plural.ts';

const form = pluralForms('es');

export const sessions: Catalogue['sessions'] = {
  title: 'Dónde tienes la sesión abierta',
  hint: 'Cierra la sesión en todo lo que no reconozcas.',
  current: 'Este navegador',
  unknownBrowser: 'Navegador desconocido',
  program: 'Programa',
  used: (ago) => `Último uso: ${ago}`,
  since: (day) => `Sesión abierta el ${day}`,
  signOut: 'Cerrar sesión',
  signOutOf: (name) => `Cerrar sesión: ${name}`,
  signOutOthers: 'Cerrar las demás sesiones',
  signedOut: (name) => `Sesión cerrada: ${name}.`,
  signedOutOthers: (count) => (count === 0 ? 'No había ninguna otra sesión.' : form(count, { one: 'Se cerró otra sesión.', other: `Se cerraron otras ${count} sesiones.` })),
  question: '¿Cerrar la sesión en este navegador?',
  lastBrowser: (name) =>
    `Juegas como el invitado ${name} y solo tienes la sesión abierta aquí. Si la cierras, pierdes a ${name} para siempre: no podrás volver a tus mesas ni a tus partidas.`,
  otherBrowsers: (name) => `Para volver a ser ${name}, abre el menú en tu otro dispositivo y elige «Continuar en otro dispositivo».`,
  signOutAnyway: 'Cerrar sesión de todos modos',
};

export const signedOut: Catalogue['signedOut'] = {
  title: 'Sesión cerrada',
  done: (name) => `En este navegador ya no estás como ${name}.`,
  startAgain: 'Jugar como un nuevo invitado',
};
