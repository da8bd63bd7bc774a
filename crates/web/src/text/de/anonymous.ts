import type { Catalogue } from '../index.ts';

export const anonymous: Catalogue['anonymous'] = {
  label: 'Namen der Spieler',
  choices: { no: 'Sichtbar', yes: 'Bis zum Ende der Partie verborgen' },
  short: 'Anonym',
  spectator: 'Zuschauer',
};
