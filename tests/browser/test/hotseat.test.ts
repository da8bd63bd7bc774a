import { expect, test } from 'vitest';
import { Chromium } from '../src/chromium.ts';
import type { Person } from '../src/person.ts';
import { COLORS, script, type Color } from '../src/script.ts';

const chromium = new Chromium();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } as const;

/** One person at a hotseat table takes all four seats; gives who begins. */
async function sitEverywhere(person: Person): Promise<Color> {
  await person.makeTable({ variant: 'dilkel', seat: 'red', privacy: 'private', settings: { hotseat: 'yes' } });
  for (const color of COLORS.dilkel.slice(1)) {
    await person.get(`sit-${color}`).click();
    if (color === 'blue') await person.get('leave-blue').waitFor();
  }
  await person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  return (await person.board()).turn as Color;
}

/** The color whose seat is shown at the bottom. */
function bottom(person: Person, color: Color): Promise<unknown> {
  return person.page.waitForSelector(`[data-testid="seat-${color}"][data-place="bottom"]`);
}

test('one page plays all four seats, and the board turns to whoever is to move', async () => {
  const person = await chromium.enter('family');
  const beginner = await sitEverywhere(person);
  await bottom(person, 'red');
  await person.screenshot('hotseat-begun');
  await person.get('turns-board').check();
  let seq = (await person.board()).seq;
  for (const move of script('dilkel', beginner).slice(0, 8)) {
    const { turn } = await person.board();
    await bottom(person, turn as Color);
    await person.move(move, 'click');
    seq = (await person.boardAfter(seq)).seq;
  }
  await person.screenshot('hotseat-turned');
  await person.page.reload();
  const { turn } = await person.board();
  await bottom(person, turn as Color);
  // One ask is agreed by all seats of the one who asks.
  await person.get('takeback-ask').click();
  const before = COLORS.dilkel[(COLORS.dilkel.indexOf(turn as (typeof COLORS.dilkel)[number]) + 3) % 4];
  await person.page.waitForSelector(`[data-testid="board"][data-turn="${before}"]`);
  for (let out = 0; out < 3; out += 1) {
    seq = (await person.board()).seq;
    await person.get('resign').click();
    await person.get('resign-confirm').click();
    await person.boardAfter(seq);
  }
  await person.get('result').waitFor();
  await person.screenshot('hotseat-over');
  await person.get('rematch').click();
  await person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  chromium.expectNoErrors();
});

test('a phone goes around the table', async () => {
  const person = await chromium.enter('phone', undefined, PHONE);
  const beginner = await sitEverywhere(person);
  await person.get('turns-board').check();
  let seq = (await person.board()).seq;
  for (const { from, to } of script('dilkel', beginner).slice(0, 5)) {
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
