import type { BotChoice, BotSeat, Color, CreateTable, SeatView } from '../protocol/generated.ts';
import { isOver } from './rematch.ts';
import { isActive, type TableState } from './table.ts';

/** The ways to a next match for somebody whose match is over, or who is eliminated. */
export type NextMatch = 'bots' | 'private' | 'public';

/**
 * Returns the kind of next match that fits a table. If all opponents are bots, it is a match
 * against the same bots. If the table is private, it is a match at another private table. Otherwise
 * it is a match with anybody who waits.
 */
export function nextMatch(state: TableState): NextMatch {
  const others = state.seats.filter(({ color }) => !state.ownSeats.includes(color));
  if (state.ownSeats.length === 1 && others.every(({ user }) => botOf(user) !== null)) return 'bots';
  return state.settings.privacy === 'private' ? 'private' : 'public';
}

/**
 * Returns the request for another table with the same settings and the same seat for the viewer. If
 * all opponents are bots, the request also contains the same bots.
 */
export function anotherTable(state: TableState): CreateTable {
  const { move_limit_ms, setup, ...settings } = state.settings;
  const [seat = state.seats[0]?.color] = state.ownSeats;
  const bots = nextMatch(state) === 'bots' ? state.seats.flatMap(botSeat) : [];
  return {
    ...settings,
    ...(move_limit_ms === undefined ? {} : { move_limit_ms }),
    ...(setup === undefined ? {} : { setup }),
    ...(seat === undefined ? {} : { seat }),
    ...(bots.length === 0 ? {} : { bots }),
  };
}

/**
 * Returns the place of an eliminated player while the others play on. The player who was eliminated
 * first has the last place.
 */
export function placeOf({ state, seats }: TableState, color: Color): number | null {
  const index = state.eliminated.findIndex((out) => out.color === color);
  return index === -1 ? null : seats.length - index;
}

/** Returns whether the viewer plays no more, but the match goes on. */
export function isEliminated(state: TableState): boolean {
  return state.viewerSeat !== null && state.state.phase === 'running' && !isOver(state) && !isActive(state, state.viewerSeat);
}

function botSeat({ color, user }: SeatView): BotSeat[] {
  const bot = botOf(user);
  return bot === null ? [] : [{ seat: color, bot }];
}

function botOf(user: SeatView['user']): BotChoice | null {
  return user?.bot === undefined || user.bot.kind === 'account' ? null : user.bot;
}
