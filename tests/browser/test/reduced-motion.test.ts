import { beforeAll, describe, expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { movingStyles, recordedMotion, recordMotion } from '../src/motion.ts';
import { openTableOf, startOwnMatch } from '../src/own-table.ts';
import { PHONE, type Person } from '../src/person.ts';
import { Places, QUICK_REVIEWS } from '../src/places.ts';
import { COLORS, scriptedMoves, type Color } from '../src/script.ts';

const chromium = new Browsers(QUICK_REVIEWS);

/** The ways to ask for less motion: the setting of the device, and the preference of this site. */
const WAYS = ['device', 'preference'] as const;

async function openStill(name: string, way: (typeof WAYS)[number]): Promise<Person> {
  if (way === 'device') return chromium.openBrowser(name, undefined, { ...PHONE, reducedMotion: 'reduce', before: recordMotion });
  const person = await chromium.openBrowser(name, undefined, { before: recordMotion });
  await person.goTo('/settings');
  await person.choose('motion', 'off');
  await person.page.waitForSelector('html[data-motion="off"]');
  await person.page.evaluate(() => sessionStorage.removeItem('motion'));
  return person;
}

/** The number of moves. Pieces are taken, and kings are in check. */
const PLIES = 24;

test.each(WAYS)('nothing moves on the page of a match, by the %s', async (way) => {
  const person = await openStill('alone', way);
  await startOwnMatch(person, { variant: 'dilkel' });
  // The draw for the first move shows its result at once, because it stays for a moment only.
  await person.byTestId('draw-animation').waitFor();
  expect(await movingStyles(person), 'the draw').toEqual([]);
  let { seq, turn } = await person.board();
  for (const move of scriptedMoves('dilkel', turn as Color).slice(0, PLIES)) {
    await person.page.waitForSelector('[data-movable]');
    await person.move(move, 'click');
    ({ seq, turn } = await person.boardAfter(seq));
  }
  await person.page.locator('[data-movable]').first().click();
  await person.page.locator('.cell[data-target]').first().waitFor();
  expect(await movingStyles(person), 'the board and the plates').toEqual([]);
  await person.byTestId('resign').click();
  await person.byTestId('resign-confirm').click();
  await person.boardAfter(seq);
  expect(await person.page.locator('.ghost').count(), 'an army leaves at once').toBe(0);
  expect(await movingStyles(person), 'a player out').toEqual([]);
  expect(await recordedMotion(person)).toEqual([]);
  chromium.expectNoErrors();
});

test.each(WAYS)('a lit lamp and a king in check do not move, by the %s', async (way) => {
  const person = await openStill('checked', way);
  await startOwnMatch(person, { variant: 'classic', setup: '4k3/8/8/8/8/8/4R3/4K3 b - - 0 1' });
  await person.page.waitForSelector('[data-testid="indicator-check"][data-lit="true"]');
  await person.page.waitForSelector('.cell[data-check]');
  expect(await movingStyles(person)).toEqual([]);
  expect(await recordedMotion(person)).toEqual([]);
  chromium.expectNoErrors();
});

test.each(WAYS)('the board of the first page does not play by itself, by the %s', async (way) => {
  const person = await openStill('visitor', way);
  // A minute passes at once.
  await person.page.clock.install();
  await person.goTo('/');
  const showcase = person.page.locator('.showcase[data-kind="demo"]');
  await showcase.waitFor();
  const shown = await showcase.getAttribute('data-ply');
  await person.page.clock.runFor(60_000);
  expect(await showcase.getAttribute('data-ply')).toBe(shown);
  // The viewer may still play it.
  await person.byTestId('showcase-pause').click();
  await person.page.clock.runFor(3_000);
  await expect.poll(() => showcase.getAttribute('data-ply')).not.toBe(shown);
  chromium.expectNoErrors();
});

describe('the pages and dialogs', () => {
  let places: Places;
  beforeAll(async () => {
    places = await Places.prepare(chromium);
  }, 180_000);

  test.each(WAYS)('have no animations, by the %s', async (way) => {
    const person = await openStill('reader', way);
    for (const [name, visit] of Object.entries(places.visits)) {
      await visit(person);
      expect(await movingStyles(person), name).toEqual([]);
      expect(await recordedMotion(person), name).toEqual([]);
    }
    chromium.expectNoErrors();
  });
});

test('motion is recorded where it is not reduced', async () => {
  const person = await chromium.openBrowser('moving', undefined, { before: recordMotion });
  await openTableOf(person, { variant: 'dilkel', privacy: 'private', hotseat: true, seat: 'red' });
  for (const color of COLORS.dilkel.slice(1)) await person.byTestId(`sit-${color}`).click();
  await person.byTestId('draw-animation').waitFor();
  expect((await movingStyles(person)).join('\n')).toContain('lot-shake');
  await person.page.locator('[data-movable]').first().click();
  await person.page.locator('.cell[data-target]').first().click();
  await expect.poll(() => recordedMotion(person)).toContain('a script moves piece');
});
