import type { BotChoice, Variant } from '../../protocol/generated.ts';
import { variants } from './game.ts';

/** Bots: playing against them, and what marks them. */
export const bots = {
  mark: 'Bot',
  against: 'Against bots',
  level: 'Strength',
  levels: (level: number) => `${level}${level === 1 ? ', a beginner' : level === 8 ? ', full strength' : ''}`,
  seat: 'Your color',
  byLot: 'By lot',
  choice: (bot: BotChoice): string => (bot.kind === 'built_in' ? bots.levels(bot.level) : bots.engine(bot.engine, bot.elo)),
  engine: (name: string, elo: number | undefined) => `${name}, ${elo === undefined ? 'full strength' : elo}`,
  play: (variant: Variant) => `${variants[variant].name} against bots`,
  add: 'Bot',
  addWho: (color: string) => `Put a bot into the seat of ${color}`,
  addTitle: 'Which bot?',
  others: 'Other seats',
  wait: 'For people',
  fill: 'Bots',
  standsIn: (name: string) => `${name} plays`,
  takeBack: 'Play again',
  takeBackWho: (color: string) => `Take back the seat of ${color}`,
};
