import { expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { startOwnMatch } from '../src/own-table.ts';
import { PHONE, type BrowserOptions, type Person } from '../src/person.ts';

const chromium = new Browsers();

const WINDOWS: Readonly<Record<string, BrowserOptions>> = {
  small: { ...PHONE, viewport: { width: 360, height: 740 }, locale: 'de' },
  landscape: { ...PHONE, viewport: { width: 844, height: 390 } },
  tablet: { viewport: { width: 820, height: 1180 }, colorScheme: 'dark' },
  square: { viewport: { width: 1000, height: 950 } },
  desk: { viewport: { width: 1440, height: 900 } },
};
const COLORS = ['red', 'blue', 'yellow', 'green'] as const;

/** Starts a match in which one person has all seats. */
async function playAlone(name: string, options: BrowserOptions): Promise<Person> {
  const person = await chromium.openBrowser(name, undefined, options);
  await startOwnMatch(person, { variant: 'dilkel', time: { kind: 'fischer', base_ms: 600_000, increment_ms: 0 } });
  return person;
}

const boardWidth = (person: Person): Promise<number> => person.byTestId('board').evaluate((board) => board.getBoundingClientRect().width);

test.each(Object.entries(WINDOWS))('zen mode shows the board, the clocks and the names only: %s', async (size, options) => {
  const person = await playAlone(`zen-${size}`, options);
  const before = await boardWidth(person);
  await person.byTestId('look-zen').click();
  await person.byTestId('zen-leave').waitFor();
  for (const hidden of ['.brand', '.panel', '.board-bar', '.captured-table', '[data-testid="resign"]']) {
    expect(await person.page.locator(hidden).first().isVisible(), hidden).toBe(false);
  }
  for (const color of COLORS) {
    for (const part of ['.plate-name', '.clock']) {
      expect(await person.byTestId(`seat-${color}`).locator(part).isVisible(), `${color} ${part}`).toBe(true);
    }
  }
  expect(await boardWidth(person)).toBeGreaterThanOrEqual(before);
  // The whole board and the button to leave are in the window and do not overlap. In a window that
  // is too low for squares of 28 pixels, the page scrolls instead.
  const window = await person.page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
  const frame = await person.page.locator('.board-frame').boundingBox();
  const leave = await person.byTestId('zen-leave').boundingBox();
  if (frame === null || leave === null) throw new Error('the board and the button are in the window');
  for (const box of [frame, leave]) {
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(window.width);
    expect(box.y + box.height).toBeLessThanOrEqual(Math.max(window.height, box === frame ? 14 * 28 + 46 : 0));
  }
  const isBeside = leave.x >= frame.x + frame.width || leave.y >= frame.y + frame.height;
  expect(isBeside, 'the button is beside the board').toBe(true);

  // Screen readers are still informed of every move and know the state of the match.
  const { turn } = await person.board();
  const headline = person.page.getByRole('heading', { level: 1 });
  const words = await headline.textContent();
  await person.page.locator('[data-movable]').first().click();
  await person.page.locator('.cell[data-target]').first().click();
  await person.page.waitForSelector(`[data-testid="board"]:not([data-turn="${turn}"])`);
  expect(await person.byTestId('announcer').getByRole('paragraph').last().textContent()).toMatch(/\S/);
  await expect.poll(() => headline.textContent()).not.toBe(words);
  await person.screenshot(`zen-${size}`);
  expect(await axeFindings(person)).toEqual([]);

  await person.page.reload();
  await person.byTestId('zen-leave').click();
  expect(await person.byTestId('resign').isVisible(), 'one press leads back to all buttons').toBe(true);
  chromium.expectNoErrors();
});
