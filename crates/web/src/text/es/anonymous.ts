import type { Catalogue } from '../index.ts';

export const anonymous: Catalogue['anonymous'] = {
  label: 'Nombres de los jugadores',
  choices: { no: 'Visibles', yes: 'Ocultos hasta el final de la partida' },
  short: 'Anónima',
  spectator: 'Espectador',
};
