import { beforeAll, describe, expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { seatPlayers } from '../src/players.ts';
import { Browsers } from '../src/browsers.ts';
import type { Person } from '../src/person.ts';

const chromium = new Browsers();

const SIZES = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  tablet: { viewport: { width: 820, height: 1180 } },
  desk: { viewport: { width: 1440, height: 900 } },
} as const;

const THEMES = [
  ['light', 'light', 'usual'],
  ['dark', 'dark', 'usual'],
  ['contrast', 'light', 'enhanced'],
  ['contrast', 'dark', 'enhanced'],
] as const;

/** The pages, each with an element that shows when it is loaded. The table and its match are created first. */
const PAGES: Record<string, { path: string; ready: string }> = {
  lobby: { path: '/', ready: '[data-testid="connection"][data-state="online"]' },
  archive: { path: '/archive', ready: 'main h1' },
  ratings: { path: '/ratings', ready: '[data-testid="leaderboard-empty"]' },
  analysis: { path: '/analysis', ready: '[data-testid="board"]' },
  rules: { path: '/rules', ready: '[data-testid="lesson-classic"]' },
  settings: { path: '/settings', ready: '[data-testid="usual"]' },
  licences: { path: '/licences.html', ready: 'h2' },
  missing: { path: '/nothing/here', ready: 'main h1' },
};

/** Opens each page in all themes, runs axe and takes screenshots. */
async function look(person: Person, size: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, { path, ready }] of Object.entries(PAGES)) {
    await person.goTo(path);
    await person.page.waitForSelector(ready);
    await person.page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
    for (const [theme, colorScheme, contrast] of THEMES) {
      // Colors do not depend on the size.
      if (theme === 'contrast' && size !== 'desk') continue;
      await person.page.emulateMedia({ colorScheme, contrast: theme === 'contrast' ? 'more' : 'no-preference', reducedMotion: 'reduce' });
      await person.screenshot(`${name}-${size}-${theme === 'contrast' ? `contrast-${colorScheme}` : theme}`);
      for (const finding of await axeFindings(person, contrast)) wrong.push(`${name}, ${theme} ${colorScheme}: ${finding}`);
    }
    const wide = await person.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide !== 0) wrong.push(`${name}: ${wide} px hang over the side`);
  }
  return wrong;
}

describe('every page', () => {
  beforeAll(async () => {
    const { path, inTurn } = await seatPlayers(chromium, { variant: 'dilkel' });
    PAGES['table'] = { path, ready: '[data-testid="board"]' };
    const [player] = inTurn;
    if (player === undefined) throw new Error('four play');
    await player.byTestId('menu').click();
    PAGES['user'] = { path: (await player.byTestId('menu-page').getAttribute('href')) ?? '', ready: 'main h1' };
    await player.goTo('/archive');
    const card = player.byTestId('match-card').first();
    await card.waitFor();
    PAGES['match'] = { path: `/m/${await card.getAttribute('data-match')}`, ready: 'main h1' };
  });

  test.each(Object.entries(SIZES))('has nothing that axe finds wrong, on a %s', async (size, options) => {
    const person = await chromium.openBrowser(size, undefined, options);
    expect(await look(person, size)).toEqual([]);
    chromium.expectNoErrors();
    // Eleven pages, each checked at least twice.
  }, 300_000);
});

test('from any page the header leads to the others by keyboard alone', async () => {
  const person = await chromium.openBrowser('ada');
  await person.page.waitForSelector('[data-testid="connection"][data-state="online"]');
  const focused = (): Promise<string | null> => person.page.evaluate(() => document.activeElement?.textContent ?? null);
  await person.page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the content');
  await person.page.keyboard.press('Enter');
  expect(await person.page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  for (const [link, heading] of [['Rules', 'The rules'], ['Analysis', 'Analysis']] as const) {
    await person.page.locator('.nav').getByRole('link', { name: link }).focus();
    await person.page.keyboard.press('Enter');
    await person.page.getByRole('heading', { level: 1, name: heading }).and(person.page.locator(':focus')).waitFor();
    expect(await person.page.locator('.nav [aria-current="page"]').innerText()).toBe(link);
  }
  await person.page.goBack();
  await person.page.getByRole('heading', { level: 1, name: 'The rules' }).waitFor();
  chromium.expectNoErrors();
});

test('pages are right-to-left in a right-to-left language, and the board does not change', async () => {
  const person = await chromium.openBrowser('ada', undefined, SIZES.tablet);
  await person.createTable({ variant: 'dilkel', seat: 'red', privacy: 'private' });
  const left = (square: string): Promise<number> => person.square(square).evaluate((cell) => cell.getBoundingClientRect().left);
  const before = [await left('d1'), await left('k1')] as const;
  expect(before[0]).toBeLessThan(before[1]);
  await person.page.evaluate(() => (document.documentElement.dir = 'rtl'));
  expect(await left('d1')).toBeLessThan(await left('k1'));
  const brand = await person.page.locator('.brand').evaluate((link) => link.getBoundingClientRect().left);
  expect(brand, 'the header begins at the right').toBeGreaterThan(410);
  const wide = await person.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide).toBe(0);
  await person.screenshot('right-to-left');
});
