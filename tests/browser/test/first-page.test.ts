import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { layoutShifts, observeLayoutShifts } from '../src/layout-shift.ts';
import type { Person } from '../src/person.ts';
import { seatPlayers } from '../src/players.ts';
import { scriptedMoves } from '../src/script.ts';

const chromium = new Browsers();

const TOUCH = { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } as const;
/** The windows in which the first page is checked. */
const WINDOWS = {
  'phone-360': { viewport: { width: 360, height: 740 }, ...TOUCH },
  'phone-390': { viewport: { width: 390, height: 844 }, ...TOUCH },
  tablet: { viewport: { width: 820, height: 1180 } },
  desk: { viewport: { width: 1440, height: 900 } },
} as const;
const SIZES = Object.keys(WINDOWS) as (keyof typeof WINDOWS)[];

/** Returns the lower edge of an element, and the height of the window. */
async function bottomOf(person: Person, selector: string): Promise<readonly [number, number]> {
  return person.page.locator(selector).first().evaluate((element) => [element.getBoundingClientRect().bottom, innerHeight] as const);
}

/** Returns the elements that are outside of the window or cut their text off. */
async function cutOff(person: Person): Promise<string[]> {
  return person.page.evaluate(() => {
    const names = (all: Element[]): string[] => all.map((element) => `${element.className} ${element.textContent}`);
    const boxes = [...document.querySelectorAll('main *')];
    const outside = boxes.filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (left < -1 || right > innerWidth + 1) && element.closest('.live-boards') === null;
    });
    const marks = [...document.querySelectorAll('.bot-mark, .bot-icon')].filter((mark) => {
      const box = mark.getBoundingClientRect();
      const parent = mark.closest('.seat-chip, .live-name, .live-seat')?.getBoundingClientRect();
      return parent !== undefined && box.width > 0 && (box.right > parent.right + 0.5 || box.left < parent.left - 0.5);
    });
    const isTooWide = document.documentElement.scrollWidth > innerWidth;
    return [...names([...outside, ...marks]), ...(isTooWide ? ['the page'] : [])];
  });
}

/** Returns whether the content of an element is higher than the place that is reserved for it. */
async function exceedsPlace(element: Locator): Promise<boolean> {
  return element.evaluate((box) => {
    const bottoms = [...box.children].map((child) => child.getBoundingClientRect().bottom);
    return Math.max(...bottoms) - box.getBoundingClientRect().top > Number.parseFloat(getComputedStyle(box).minHeight) + 0.5;
  });
}

test.each(SIZES)('the first page of a new server shows the game and the ways into it: %s', async (size) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const person = await chromium.openBrowser(`first-${size}-${colorScheme}`, undefined, { ...WINDOWS[size], colorScheme, reducedMotion: 'reduce' });
    await person.page.waitForSelector('.showcase[data-kind] .showcase-board svg');
    await person.page.locator('.lobby-others').waitFor();
    await observeLayoutShifts(person, 'load');
    const [action, height] = await bottomOf(person, '[data-testid="bots-dilkel"]');
    expect(action, 'the primary action is above the fold').toBeLessThanOrEqual(height);
    if (size === 'desk') expect((await bottomOf(person, '.showcase-board'))[0], 'the board is above the fold').toBeLessThanOrEqual(height);
    expect(await person.byTestId('one-screen').isVisible()).toBe(true);
    expect(await person.page.getByRole('link', { name: 'Learn in two minutes' }).getAttribute('href')).toBe('/rules');
    expect(await cutOff(person)).toEqual([]);
    expect(await axeFindings(person)).toEqual([]);
    await person.screenshot(`first-page-${size}-${colorScheme}`);
    expect(await layoutShifts(person), 'nothing jumps while the page loads').toEqual([]);
  }
  chromium.expectNoErrors();
});

test('the recorded match is replayed, and can be paused', async () => {
  const person = await chromium.openBrowser('replay');
  const showcase = person.page.locator('.showcase[data-kind="demo"]');
  await showcase.waitFor();
  const ply = async (): Promise<number> => Number(await showcase.getAttribute('data-ply'));
  const before = await ply();
  await expect.poll(ply).toBeGreaterThan(before);
  await person.byTestId('showcase-pause').click();
  await person.byTestId('showcase-pause').and(person.page.getByLabel('Play the replay')).waitFor();
  chromium.expectNoErrors();
});

test.each(SIZES)('nothing is cut off with matches, open tables and own tables, in English and German: %s', async (size) => {
  const people = await seatPlayers(chromium, { variant: 'dilkel' });
  await seatPlayers(chromium, { variant: 'classic' });
  const waiting = await chromium.openBrowser('waiting');
  await waiting.createTable({ variant: 'dilkel', seat: 'red', privacy: 'public' });
  await waiting.byTestId('add-bot-blue').click();
  await waiting.byTestId('bot-level-2').click();
  const visitor = await chromium.openBrowser('visitor', undefined, { ...WINDOWS[size], locale: 'de-DE', reducedMotion: 'reduce' });
  await visitor.createTable({ variant: 'dilkel', seat: 'none', privacy: 'public', settings: { bots: '1' } });
  await visitor.goTo('/');
  const large = visitor.page.locator('.showcase[data-kind="live"]');
  await large.locator('svg').waitFor();
  await visitor.byTestId('table-row').nth(1).waitFor();
  await observeLayoutShifts(visitor, 'load');
  expect(await large.locator('.live-seat').count()).toBe(4);
  expect(await visitor.byTestId('activity').textContent()).toContain('Spieler online');
  expect(await exceedsPlace(visitor.byTestId('activity')), 'the activity fits into its place').toBe(false);
  expect(await visitor.byTestId('one-screen').isVisible(), 'one device is offered beside public tables').toBe(true);
  expect(await cutOff(visitor)).toEqual([]);
  expect(await axeFindings(visitor)).toEqual([]);
  await visitor.screenshot(`first-page-full-${size}`);
  await visitor.screenshot(`first-page-full-${size}-whole`, { fullPage: true });
  expect(await layoutShifts(visitor), 'nothing jumps while the page loads').toEqual([]);

  // A move in the large match shifts nothing but its pieces.
  const { turn } = (await people.inTurn[0]?.board()) ?? { turn: '' };
  const [move] = scriptedMoves('dilkel', turn as 'red');
  if (move !== undefined) await people.inTurn[0]?.move(move, 'click');
  expect(await layoutShifts(visitor)).toEqual([]);
  chromium.expectNoErrors();
});
