import type { Catalogue } from '../index.ts';

export const replay: Catalogue['replay'] = {
  loading: 'Cargando la partida…',
  notFound: 'Partida no encontrada',
  live: 'Verla en vivo',
  position: 'Momento de la partida',
  speed: 'Velocidad de reproducción',
  exports: 'Compartir y guardar',
  analyse: 'Analizar desde aquí',
  record: 'Registro (JSON)',
  picture: 'Imagen (PNG)',
  animation: 'Animación (GIF)',
};
