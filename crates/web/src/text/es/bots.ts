import type { Catalogue } from '../index.ts';
import { the, variants } from './game.ts';

/** A word for each level of the built-in bot. */
const LEVELS = ['Principiante', 'Novato', 'Aficionado', 'Intermedio', 'Avanzado', 'Fuerte', 'Experto', 'Máximo'];

export const bots: Catalogue['bots'] = {
  mark: 'Bot',
  against: 'Contra bots',
  level: 'Nivel',
  levels: (level) => `${level} ${LEVELS[level - 1] ?? ''}`.trim(),
  seat: 'Tu color',
  byLot: 'Al azar',
  choice: (bot) => (bot.kind === 'built_in' ? bots.levels(bot.level) : bots.engine(bot.engine, bot.elo)),
  engine: (name, elo) => `${name}, ${elo === undefined ? 'fuerza máxima' : elo}`,
  play: (variant) => `${variants[variant].name} contra bots`,
  add: 'Bot',
  addWho: (color) => `Añadir un bot con ${the(color)}`,
  addTitle: '¿Qué bot?',
  others: 'Los demás asientos',
  wait: 'Para jugadores',
  fill: 'Bots',
  standsIn: (name) => `Juega ${name}`,
  takeBack: 'Volver a jugar',
  takeBackWho: (color) => `Volver a jugar con ${the(color)}`,
};
