import type { Catalogue } from '../index.ts';
import { the, variants } from './game.ts';

/** A word for each level of the built-in bot. */
const LEVELS = ['Principiante', 'Novato', 'Aficionado', 'Intermedio', 'Avanzado', 'Fuerte', 'Experto', 'Máximo'];

export const bots: Catalogue['bots'] = {
  badge: 'Bot',
  title: 'Contra bots',
  level: 'Nivel',
  levels: (level) => `${level} ${LEVELS[level - 1] ?? ''}`.trim(),
  ownColor: 'Tu color',
  randomSeat: 'Al azar',
  choice: (bot) => (bot.kind === 'built_in' ? bots.levels(bot.level) : bots.engine(bot.engine, bot.elo)),
  engine: (name, elo) => `${name}, ${elo === undefined ? 'fuerza máxima' : elo}`,
  play: (variant) => `${variants[variant].name} contra bots`,
  add: 'Bot',
  addAs: (color) => `Añadir un bot con ${the(color)}`,
  addTitle: '¿Qué bot?',
  otherSeats: 'Los demás asientos',
  openToPeople: 'Para jugadores',
  fill: 'Bots',
  standsIn: (name) => `Juega ${name}`,
  resume: 'Volver a jugar',
  resumeAs: (color) => `Volver a jugar con ${the(color)}`,
};
