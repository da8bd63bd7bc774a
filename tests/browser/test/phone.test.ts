import { expect, test } from 'vitest';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import { PHONE, type Person } from '../src/person.ts';
import { COLORS, scriptedMoves, type Color } from '../src/script.ts';

const chromium = new Browsers();

async function expectNothingBeside(person: Person): Promise<void> {
  const [content, window] = await person.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content, 'the page is wider than the screen').toBeLessThanOrEqual(window ?? 0);
}

test('four people tap their first moves on phones', async () => {
  const players = new Map<string, Person>();
  for (const color of COLORS.dilkel) players.set(color, await chromium.openBrowser(color, undefined, PHONE));
  const [red, ...others] = [...players.values()];
  if (red === undefined) throw new Error('four play');
  const path = await red.createTable({ variant: 'dilkel', seat: 'red', privacy: 'public' });
  const lobby = others[0];
  await lobby?.page.waitForSelector('[data-testid="table-row"]');
  await lobby?.screenshot('phone-lobby');
  for (const [color, person] of players) if (person !== red) await person.sitFromLobby(path, color as Color);
  await red.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  let shown = await expectSameBoards([...players.values()]);
  for (const { from, to } of scriptedMoves('dilkel', shown.turn as Color).slice(0, 6)) {
    const mover = players.get(shown.turn);
    await mover?.square(from).tap();
    await mover?.square(to).tap();
    shown = await expectSameBoards([...players.values()], shown.seq);
  }
  for (const [color, person] of players) {
    await expectNothingBeside(person);
    await person.screenshot(`phone-${color}`);
  }
  chromium.expectNoErrors();
});
