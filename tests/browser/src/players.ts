import type { Browsers } from './browsers.ts';
import type { Person, BrowserOptions, TableOptions } from './person.ts';
import { COLORS, type Color } from './script.ts';

/** The players at a table after the start of the match. */
export interface Players {
  readonly path: string;
  readonly players: ReadonlyMap<Color, Person>;
  /** The players in turn order from the first one. */
  readonly inTurn: readonly Person[];
}

/** Fills a new public table with players and waits until the match has started on all pages. */
export async function seatPlayers(
  chromium: Pick<Browsers, 'openBrowser'>,
  table: Omit<TableOptions, 'seat' | 'privacy'>,
  options: BrowserOptions = {},
): Promise<Players> {
  const colors: readonly Color[] = COLORS[table.variant];
  const players = new Map<Color, Person>();
  for (const color of colors) players.set(color, await chromium.openBrowser(color, undefined, options));
  const [first = 'red'] = colors;
  const host = playerOf(players, first);
  const path = await host.createTable({ ...table, seat: first, privacy: 'public' });
  for (const color of colors) if (color !== first) await playerOf(players, color).sitFromLobby(path, color);
  const begun = '[data-testid="board"]:not([data-turn=""])';
  await Promise.all([...players.values()].map((person) => person.page.waitForSelector(begun)));
  const { turn } = await host.board();
  const from = colors.indexOf(turn as Color);
  const inTurn = [...colors.slice(from), ...colors.slice(0, from)].map((color) => playerOf(players, color));
  return { path, players, inTurn };
}

/** Returns the player of a color. */
export function playerOf(players: ReadonlyMap<Color, Person>, color: Color): Person {
  const person = players.get(color);
  if (person === undefined) throw new Error(`nobody plays ${color}`);
  return person;
}
