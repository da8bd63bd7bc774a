import { expect, test } from 'vitest';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import type { Person } from '../src/person.ts';
import { COLORS, scriptedMoves, type Color } from '../src/script.ts';
import { layoutShifts, observeLayoutShifts } from '../src/layout-shift.ts';

const chromium = new Browsers();

/** The windows of the players, from a small phone to a desktop. */
const WINDOWS: Readonly<Record<string, { width: number; height: number }>> = {
  red: { width: 360, height: 740 },
  blue: { width: 820, height: 1180 },
  yellow: { width: 1440, height: 900 },
  green: { width: 844, height: 390 },
};
/** The number of moves. It suffices for captures, checks, an elimination and a full list of moves. */
const PLIES = 30;

test('nothing on the page of a table shifts during a match, at any size', async () => {
  const players = new Map<string, Person>();
  for (const color of COLORS.dilkel) {
    players.set(color, await chromium.openBrowser(color, undefined, { viewport: WINDOWS[color] ?? null, reducedMotion: 'reduce' }));
  }
  const [red, ...others] = [...players.entries()];
  if (red === undefined) throw new Error('four play');
  const path = await red[1].createTable({ variant: 'dilkel', seat: 'red', privacy: 'public' });
  for (const [color, person] of others) await person.sitFromLobby(path, color as Color);
  const everybody = [...players.values()];
  await Promise.all(everybody.map((person) => person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])')));
  let shown = await expectSameBoards(everybody);
  for (const person of everybody) await observeLayoutShifts(person);
  for (const move of scriptedMoves('dilkel', shown.turn as Color).slice(0, PLIES)) {
    const mover = players.get(shown.turn);
    await mover?.page.waitForSelector('[data-movable]');
    await mover?.move(move, 'type');
    do shown = await expectSameBoards(everybody, shown.seq);
    while ((await players.get(shown.turn)?.mayMove()) !== true);
  }
  for (const [color, person] of players) {
    await person.screenshot(`steady-${color}`);
    // The captures are visible at every size: at the seats or below the board.
    expect(await person.page.locator('.captured .captured-kind:visible').count(), `${color}: what was taken`).toBeGreaterThan(0);
    expect(await person.page.locator('.reserve .reserve-kind:visible').count(), `${color}: reserves`).toBeGreaterThan(0);
    expect(await person.page.locator('.captured:visible:has(> *)').count(), `${color}: once for each seat`).toBeLessThanOrEqual(COLORS.dilkel.length);
    expect(await layoutShifts(person), color).toEqual([]);
    const [content, window] = await person.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(content, `${color}: nothing lies beside the window`).toBeLessThanOrEqual(window ?? 0);
  }
  chromium.expectNoErrors();
});
