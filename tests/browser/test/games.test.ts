import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { expectGoodPageAtAllSizes } from '../src/good-page.ts';
import { openTableOf } from '../src/own-table.ts';
import type { Person } from '../src/person.ts';
import { LANGUAGES_WITH_SIZES, SIZES } from '../src/sizes.ts';

const chromium = new Browsers();

/** Starts a match against a bot that lasts days, in which it is the person's turn. */
async function startSlowMatch(person: Person, days: number): Promise<string> {
  const bots = [{ seat: 'black', bot: { kind: 'built_in', level: 1 } }];
  await openTableOf(person, { variant: 'classic', privacy: 'private', seat: 'white', seating: 'chosen', time: { kind: 'correspondence', days }, bots });
  await person.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  return new URL(person.page.url()).pathname;
}

/** Opens a page of the client by a click on a link of the present page. */
async function follow(person: Person, testId: string, path: string): Promise<void> {
  await person.byTestId(testId).click();
  await person.page.waitForURL((url) => url.pathname === path);
}

test.each(LANGUAGES_WITH_SIZES)('a player of several slow matches goes from one to the next: %s, on a %s', async (locale, size) => {
  const viewport = SIZES[size];
  const person = await chromium.openBrowser('person', undefined, { viewport, locale, reducedMotion: 'reduce' });
  await person.byTestId('menu').click();
  await follow(person, 'menu-games', '/games');
  await person.byTestId('no-games').waitFor();
  await expectGoodPageAtAllSizes(person, `games-none-${locale}`);
  const [slow, fast] = [await startSlowMatch(person, 7), await startSlowMatch(person, 2)];
  await openTableOf(person, { variant: 'dilkel', privacy: 'public', seat: 'red' });
  const open = new URL(person.page.url()).pathname;
  expect((await person.page.goto(`${chromium.site.url}/games`))?.status()).toBe(200);
  const paths = (): Promise<(string | null)[]> => person.byTestId('game').locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  await expect.poll(paths).toEqual([fast, slow, open]);
  const [first] = await person.byTestId('games-yourMove').getByTestId('time-to-move').allTextContents();
  expect(first).toMatch(/\b47 h/);
  await person.page.locator('[data-testid="game"] svg').nth(2).waitFor();
  expect(await person.byTestId('waiting-games').getAttribute('data-count')).toBe('2');
  await expectGoodPageAtAllSizes(person, `games-${locale}`);
  await person.byTestId('game').first().locator('a').click();
  await person.page.waitForURL((url) => url.pathname === fast);
  await person.byTestId('board').waitFor();
  expect(await person.byTestId('next-game').locator('.waiting-number').textContent()).toBe('1/2');
  await expectGoodPageAtAllSizes(person, `next-game-${locale}`);
  await follow(person, 'next-game', slow);
  await person.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  expect(await person.byTestId('next-game').locator('.waiting-number').textContent()).toBe('2/2');
  await follow(person, 'next-game', fast);
  await person.goTo('/');
  await person.byTestId('all-games').waitFor();
  await person.byTestId('all-games').scrollIntoViewIfNeeded();
  await expectGoodPageAtAllSizes(person, `own-tables-${locale}`);
  chromium.expectNoErrors();
});

test('a move on another device is shown at once, and following the boards does not make a player present', async () => {
  const [white, black] = [await chromium.openBrowser('white'), await chromium.openBrowser('black')];
  await openTableOf(white, { variant: 'classic', privacy: 'public', seat: 'white', seating: 'chosen', time: { kind: 'correspondence', days: 3 } });
  const path = new URL(white.page.url()).pathname;
  await black.goTo(path);
  await black.byTestId('sit-black').click();
  await white.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  await black.goTo('/games');
  await black.byTestId('games-theirMove').getByTestId('game').locator('svg').waitFor();
  await white.page.waitForSelector('[data-testid="seat-black"] .presence[data-presence="gone"]');
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  const game = black.byTestId('games-yourMove').getByTestId('game');
  await game.waitFor();
  expect(await game.locator('.own-game-last').textContent()).toMatch(/e2.*e4/);
  expect(await black.byTestId('waiting-games').getAttribute('data-count')).toBe('1');
  chromium.expectNoErrors();
});

test('a player who wants it is led on to the next game by each move', async () => {
  const person = await chromium.openBrowser('person', undefined, { reducedMotion: 'reduce' });
  await person.goTo('/settings');
  await person.byTestId('set-nextGame').click();
  const [slow, fast] = [await startSlowMatch(person, 7), await startSlowMatch(person, 2)];
  await person.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await person.page.waitForURL((url) => url.pathname === slow);
  await person.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  expect(new URL(person.page.url()).pathname).not.toBe(fast);
  chromium.expectNoErrors();
});
