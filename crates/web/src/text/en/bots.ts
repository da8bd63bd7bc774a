import type { BotChoice, Color, Variant } from '../../protocol/generated.ts';
import { colors, variants } from './game.ts';

/** A word for each level of the built-in bot. */
const LEVELS = ['Beginner', 'Novice', 'Casual', 'Intermediate', 'Club', 'Strong', 'Expert', 'Maximum'];

/** Texts about bots, and the names of bots. */
export const bots = {
  badge: 'Bot',
  title: 'Against bots',
  level: 'Strength',
  levels: (level: number) => `${level} ${LEVELS[level - 1] ?? ''}`.trim(),
  ownColor: 'Your color',
  randomSeat: 'Random',
  choice: (bot: BotChoice): string => (bot.kind === 'built_in' ? bots.levels(bot.level) : bots.engine(bot.engine, bot.elo)),
  engine: (name: string, elo: number | undefined) => `${name}, ${elo === undefined ? 'full strength' : elo}`,
  play: (variant: Variant) => `${variants[variant].name} against bots`,
  add: 'Bot',
  addAs: (color: Color) => `Add a bot as ${colors[color]}`,
  addTitle: 'Which bot?',
  otherSeats: 'Other seats',
  openToPeople: 'Open to people',
  fill: 'Bots',
  standsIn: (name: string) => `${name} playing`,
  resume: 'Resume',
  resumeAs: (color: Color) => `Resume playing ${colors[color]}`,
};
