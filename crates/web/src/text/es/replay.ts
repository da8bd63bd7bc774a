import type { Catalogue } from '../index.ts';

export const replay: Catalogue['replay'] = {
  loading: 'Cargando la partida…',
  notFound: 'Partida no encontrada',
  notFoundHint: 'En esta dirección no hay ninguna partida, o es privada. Quien la jugó puede enviarte un enlace.',
  live: 'Verla en vivo',
  position: 'Momento de la partida',
  speed: 'Velocidad de reproducción',
  exports: 'Compartir y guardar',
  analyse: 'Analizar desde aquí',
  record: 'Registro (JSON)',
  picture: 'Imagen (PNG)',
  animation: 'Animación (GIF)',
};

export const share: Catalogue['share'] = {
  isPrivate: 'Solo quienes la jugaron pueden ver esta partida.',
  create: 'Compartir esta partida',
  hint: 'Quien tenga este enlace puede reproducir la partida.',
  link: 'Enlace a esta partida',
  passOn: 'Compartir',
  shareText: '¡Mira esta partida!',
  remove: 'Dejar de compartir',
  elsewhere: (moment) => `Ya compartiste esta partida (${moment}). Un enlace nuevo sustituye al anterior.`,
  renew: 'Enlace nuevo',
  playersOnly: 'Esta partida es privada. Quien la jugó puede compartir un enlace.',
  afterEnd: 'Esta partida es privada. Cuando termine, quienes la juegan podrán compartir un enlace.',
  spent: 'Este enlace ya no funciona',
  spentHint: 'Quien compartió la partida retiró el enlace, o el enlace está incompleto.',
};
