import type { Catalogue } from '../index.ts';
import { capitalize } from '../capitalize.ts';
import { colors, theSeat, variants } from './game.ts';

/** A word for each level of the built-in bot. */
const LEVELS = ['Anfänger', 'Einsteiger', 'Hobby', 'Fortgeschritten', 'Verein', 'Stark', 'Experte', 'Maximum'];

export const bots: Catalogue['bots'] = {
  badge: 'Bot',
  title: 'Gegen Bots',
  level: 'Spielstärke',
  levels: (level) => `${level} ${LEVELS[level - 1] ?? ''}`.trim(),
  ownColor: 'Deine Farbe',
  randomSeat: 'Zufällig',
  choice: (bot) => (bot.kind === 'built_in' ? bots.levels(bot.level) : bots.engine(bot.engine, bot.elo)),
  engine: (name, elo) => `${name}, ${elo === undefined ? 'volle Stärke' : elo}`,
  play: (variant) => `${variants[variant].name} gegen Bots`,
  add: 'Bot',
  addAs: (color) => `Einen Bot als ${colors[color]} dazusetzen`,
  addTitle: 'Welcher Bot?',
  otherSeats: 'Die anderen Plätze',
  openToPeople: 'Für Mitspieler',
  fill: 'Bots',
  standsIn: (name) => `${name} spielt`,
  resume: 'Weiterspielen',
  resumeAs: (color) => `${capitalize(theSeat(color))} wieder selbst spielen`,
};
