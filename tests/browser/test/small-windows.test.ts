import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { resignAllSeats, startOwnMatch } from '../src/own-table.ts';
import type { Person } from '../src/person.ts';

const chromium = new Browsers();

/** Windows of a desktop at a zoom of 200 % and 400 %, and phones that lie on their side. */
const WINDOWS = [[720, 450], [640, 360], [320, 256], [844, 390], [740, 360], [667, 375], [568, 320]] as const;
const LANGUAGES = ['en', 'de', 'es'] as const;
/** The smallest side of the four-player board, in CSS pixels, where the window has room for it: 14 squares. */
const LEAST_BOARD_PX = 14 * 28;
/** The part of a narrow window's width that is no board. */
const BESIDE_PX = 32;
/** The controls and texts that must be reachable on a page with a board. */
const TABLE_PARTS = '.plate .clock, .plate-name, .board-bar button, .panel button, .panel a, .status';
const LOBBY_PARTS = 'main button, main a, main select, main h1, .header a, .header button';

/** Expects that parts of a page can be scrolled into the window as a whole, and that the page is not too wide. */
async function expectReachable(person: Person, parts: string, what: string): Promise<void> {
  const wrong = await person.page.evaluate((selector) => {
    const found: string[] = [];
    for (const element of document.querySelectorAll(selector)) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.live-boards') !== null) continue;
      element.scrollIntoView({ block: 'center', inline: 'nearest' });
      const { left, right, top, bottom } = element.getBoundingClientRect();
      if (left < -1 || right > innerWidth + 1 || top < -1 || top > innerHeight || bottom < 0) found.push(`${element.className} ${element.textContent}`);
    }
    const excess = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    return excess > 0 ? [...found, `the page is ${excess} px too wide`] : found;
  }, parts);
  expect(wrong, what).toEqual([]);
}

async function expectLargeBoard(person: Person, width: number): Promise<void> {
  const board = await person.byTestId('board').boundingBox();
  const least = Math.min(LEAST_BOARD_PX - 16, width - BESIDE_PX);
  expect(board?.width, 'the board').toBeGreaterThanOrEqual(least);
}

test.each(LANGUAGES)('small windows keep the board, the clocks and the buttons: %s', async (locale) => {
  const person = await chromium.openBrowser('player', undefined, { reducedMotion: 'reduce', locale });
  const expectReachableInAll = async (parts: string, what: string): Promise<void> => {
    for (const [width, height] of WINDOWS) {
      await person.page.setViewportSize({ width, height });
      await person.screenshot(`small-${width}x${height}-${locale}-${what}`);
      if (parts === TABLE_PARTS) await expectLargeBoard(person, width);
      await expectReachable(person, parts, `${what}, ${width} x ${height}`);
    }
  };
  await person.page.waitForSelector('.showcase[data-kind] svg');
  await expectReachableInAll(LOBBY_PARTS, 'first-page');

  // One person plays all seats at one device, until the end.
  await startOwnMatch(person, { variant: 'dilkel', time: { kind: 'fischer', base_ms: 3_600_000, increment_ms: 0 } });
  await expectReachableInAll(TABLE_PARTS, 'match');
  await resignAllSeats(person);
  await expectReachableInAll(TABLE_PARTS, 'end');
  chromium.expectNoErrors();
});
