import type { Chromium } from './chromium.ts';
import type { Person, BrowserOptions, TableOptions } from './person.ts';
import { COLORS, type Color } from './script.ts';

/** People at one table whose match has begun. */
export interface Players {
  readonly path: string;
  readonly players: ReadonlyMap<Color, Person>;
  /** All players in turn order, the beginner first. */
  readonly inTurn: readonly Person[];
}

/** Seats as many people as play at a new public table and waits until the match has begun for all. */
export async function seatPlayers(
  chromium: Chromium,
  wish: Omit<TableOptions, 'seat' | 'privacy'>,
  options: BrowserOptions = {},
): Promise<Players> {
  const colors: readonly Color[] = COLORS[wish.variant];
  const players = new Map<Color, Person>();
  for (const color of colors) players.set(color, await chromium.enter(color, undefined, options));
  const [first = 'red'] = colors;
  const host = personOf(players, first);
  const path = await host.makeTable({ ...wish, seat: first, privacy: 'public' });
  for (const color of colors) if (color !== first) await personOf(players, color).sitFromLobby(path, color);
  const begun = '[data-testid="board"]:not([data-turn=""])';
  await Promise.all([...players.values()].map((person) => person.page.waitForSelector(begun)));
  const { turn } = await host.board();
  const from = colors.indexOf(turn as Color);
  const inTurn = [...colors.slice(from), ...colors.slice(0, from)].map((color) => personOf(players, color));
  return { path, players, inTurn };
}

/** The player of a color. */
export function personOf(players: ReadonlyMap<Color, Person>, color: Color): Person {
  const person = players.get(color);
  if (person === undefined) throw new Error(`nobody plays ${color}`);
  return person;
}
