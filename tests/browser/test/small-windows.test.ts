import { beforeAll, describe, expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { seatPlayers } from '../src/players.ts';

const chromium = new Browsers();

/** Windows of a desktop at a zoom of 200 % and 400 %, and phones that lie on their side. */
const WINDOWS = [[720, 450], [640, 360], [320, 256], [844, 390], [740, 360], [667, 375], [568, 320]] as const;
/** The smallest side of the four-player board, in CSS pixels, where the window has room for it: 14 squares. */
const LEAST_BOARD_PX = 14 * 28;
/** The part of a narrow window's width that is no board. */
const BESIDE_PX = 32;

let path = '';

describe('a small window', () => {
  beforeAll(async () => {
    ({ path } = await seatPlayers(chromium, { variant: 'dilkel' }));
  });

  test.each(WINDOWS)('of %i x %i pixels keeps the board, the clocks and the buttons', async (width, height) => {
    const person = await chromium.openBrowser('viewer', undefined, { viewport: { width, height }, reducedMotion: 'reduce' });
    await person.goTo(path);
    await person.byTestId('board').waitFor();
    await person.screenshot(`small-${width}x${height}`);
    const board = await person.byTestId('board').boundingBox();
    const least = Math.min(LEAST_BOARD_PX - 16, width - BESIDE_PX);
    expect(board?.width, 'the board').toBeGreaterThanOrEqual(least);
    const reachable = await person.page.evaluate(() => {
      const wrong: string[] = [];
      for (const element of document.querySelectorAll('.plate .clock, .board-bar button, .panel button, .status')) {
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        element.scrollIntoView({ block: 'center', inline: 'nearest' });
        const { left, right, top, bottom } = element.getBoundingClientRect();
        if (left < -1 || right > innerWidth + 1 || top < -1 || top > innerHeight || bottom < 0) wrong.push(`${element.className} ${element.textContent}`);
      }
      return wrong;
    });
    expect(reachable).toEqual([]);
    expect(await person.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });
});
