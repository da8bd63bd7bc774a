import type { Catalogue } from '../index.ts';

export const replay: Catalogue['replay'] = {
  loading: 'Cargando la partida…',
  missing: 'Partida no encontrada',
  live: 'Verla en vivo',
  place: 'Momento de la partida',
  pace: 'Velocidad de reproducción',
  exports: 'Compartir y guardar',
  analyse: 'Analizar desde aquí',
  record: 'Registro (JSON)',
  picture: 'Imagen (PNG)',
  film: 'Animación (GIF)',
};
