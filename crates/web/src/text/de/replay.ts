import type { Catalogue } from '../index.ts';

export const replay: Catalogue['replay'] = {
  loading: 'Die Partie wird geladen …',
  missing: 'Diese Partie gibt es nicht',
  live: 'Live zusehen',
  place: 'Stelle in der Partie',
  pace: 'Wiedergabetempo',
  exports: 'Teilen und speichern',
  analyse: 'Ab hier analysieren',
  record: 'Protokoll (JSON)',
  picture: 'Bild (PNG)',
  film: 'Animation (GIF)',
};
