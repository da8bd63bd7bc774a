import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { resignAllSeats } from '../src/own-table.ts';
import type { Person } from '../src/person.ts';
import { COLORS, scriptedMoves, type Color } from '../src/script.ts';

const chromium = new Browsers();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } as const;

/** Creates a hotseat table, takes all four seats and returns the first player. */
async function sitEverywhere(person: Person): Promise<Color> {
  await person.createTable({ variant: 'dilkel', seat: 'red', privacy: 'private', settings: { hotseat: 'yes' } });
  for (const color of COLORS.dilkel.slice(1)) {
    await person.byTestId(`sit-${color}`).click();
    if (color === 'blue') await person.byTestId('leave-blue').waitFor();
  }
  await person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  return (await person.board()).turn as Color;
}

/** Returns the color of the seat at the bottom. */
function bottom(person: Person, color: Color): Promise<unknown> {
  return person.page.waitForSelector(`[data-testid="seat-${color}"][data-place="bottom"]`);
}

test('one page plays all four seats, and the board turns to the player to move', async () => {
  const person = await chromium.openBrowser('family');
  const beginner = await sitEverywhere(person);
  await bottom(person, 'red');
  await person.screenshot('hotseat-begun');
  await person.byTestId('turns-board').check();
  let seq = (await person.board()).seq;
  for (const move of scriptedMoves('dilkel', beginner).slice(0, 8)) {
    const { turn } = await person.board();
    await bottom(person, turn as Color);
    await person.move(move, 'click');
    seq = (await person.boardAfter(seq)).seq;
  }
  await person.screenshot('hotseat-turned');
  await person.page.reload();
  const { turn } = await person.board();
  await bottom(person, turn as Color);
  // All seats of the user agree to the user's request.
  await person.byTestId('takeback-ask').click();
  const before = COLORS.dilkel[(COLORS.dilkel.indexOf(turn as (typeof COLORS.dilkel)[number]) + 3) % 4];
  await person.page.waitForSelector(`[data-testid="board"][data-turn="${before}"]`);
  await resignAllSeats(person);
  await person.screenshot('hotseat-over');
  await person.byTestId('rematch').click();
  await person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  chromium.expectNoErrors();
});

test('four players share a phone', async () => {
  const person = await chromium.openBrowser('phone', undefined, PHONE);
  const beginner = await sitEverywhere(person);
  await person.byTestId('turns-board').check();
  let seq = (await person.board()).seq;
  for (const { from, to } of scriptedMoves('dilkel', beginner).slice(0, 5)) {
    await bottom(person, (await person.board()).turn as Color);
    await person.square(from).tap();
    await person.square(to).tap();
    seq = (await person.boardAfter(seq)).seq;
  }
  await person.screenshot('hotseat-phone');
  const [content, window] = await person.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content, 'the page is wider than the screen').toBeLessThanOrEqual(window ?? 0);
  chromium.expectNoErrors();
});
