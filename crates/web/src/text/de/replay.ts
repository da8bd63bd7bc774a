import type { Catalogue } from '../index.ts';

export const replay: Catalogue['replay'] = {
  loading: 'Die Partie wird geladen …',
  notFound: 'Diese Partie gibt es nicht',
  live: 'Live zusehen',
  position: 'Stelle in der Partie',
  speed: 'Wiedergabetempo',
  exports: 'Teilen und speichern',
  analyse: 'Ab hier analysieren',
  record: 'Protokoll (JSON)',
  picture: 'Bild (PNG)',
  animation: 'Animation (GIF)',
};
