import { describe, expect, test } from 'vitest';
import { signUp, userName } from '../src/accounts.ts';
import { axeFindings } from '../src/axe.ts';
import { Browsers, expectSameBoards } from '../src/browsers.ts';
import { expectGoodPage } from '../src/good-page.ts';
import { layoutShifts, observeLayoutShifts } from '../src/layout-shift.ts';
import { cutTexts } from '../src/overflow.ts';
import type { Person } from '../src/person.ts';

const chromium = new Browsers();

const SIZES = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, desk: { width: 1440, height: 900 } };
const DAY_MS = 86_400_000;
const NAMES = ['Ada', 'Wilhelmina Featherstonehaugh'.slice(0, 24), 'Ben', 'Jörg', 'Zoë', 'Nuria', 'Otto'];

/** The best players of a busy server. */
const PLAYERS = Array.from({ length: 100 }, (_, index) => ({
  user: { id: `0192f0c1-2345-7000-8000-${String(index).padStart(12, '0')}`, name: `${NAMES[index % NAMES.length]} ${index < 7 ? '' : index}`.trim(), account: true },
  rating: 2_104 - 9 * index,
  matches: 1_873 - 17 * index,
}));

const RATINGS = [
  { variant: 'dilkel', speed: 'rapid', rating: 1_558, deviation: 72, matches: 60 },
  { variant: 'classic', speed: 'correspondence', rating: 1_612, deviation: 160, provisional: true, matches: 4 },
  { variant: 'dilkel-compact', speed: 'blitz', rating: 1_447, deviation: 240, provisional: true, matches: 1 },
];

/** The ratings after 60 matches in two months. */
const POINTS = Array.from({ length: 60 }, (_, index) => ({
  at_ms: 1_790_000_000_000 + index * DAY_MS,
  rating: Math.round(1_500 + 90 * Math.sin(index / 7) + 30 * Math.sin(index * 2.3)),
  deviation: Math.max(60, 340 - 12 * index),
}));

/** Answers the requests about ratings like a server on which thousands of matches were rated. */
async function withRatings(person: Person, players: readonly object[] = PLAYERS): Promise<void> {
  await person.page.route('**/api/ratings/**', (route) => route.fulfill({ json: { players } }));
  await person.page.route('**/api/users/*/ratings/**', (route) => route.fulfill({ json: { points: POINTS } }));
  await person.page.route(/\/api\/users\/[0-9a-f-]+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ratings: RATINGS } });
  });
}

/** Opens a page and waits until all its parts are loaded. */
async function open(person: Person, path: string, ready: string): Promise<void> {
  await person.goTo(path);
  await person.byTestId(ready).first().waitFor();
  await person.page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
}

/** Expects a page without cut texts, layout shifts and findings of axe, and takes screenshots of it. */
async function expectSteadyPage(person: Person, name: string): Promise<void> {
  await observeLayoutShifts(person, 'load');
  expect(await layoutShifts(person), name).toEqual([]);
  await expectGoodPage(person, name);
}

describe.each(Object.entries(SIZES))('on a %s', (size, viewport) => {
  test.each(['en', 'de', 'es'])('the pages about ratings are complete and accessible: %s', async (locale) => {
    const person = await chromium.openBrowser(size, undefined, { viewport, locale, reducedMotion: 'reduce' });
    await signUp(person, `Rita ${size} ${locale}`);
    const profile = new URL(person.page.url()).pathname;
    await open(person, '/ratings', 'leaderboard-empty');
    await expectSteadyPage(person, `leaderboard-empty-${size}-${locale}`);
    await withRatings(person);
    await open(person, '/ratings?variant=dilkel&speed=rapid', 'own-row');
    expect(await person.byTestId('ranked-player').count()).toBe(100);
    await expectSteadyPage(person, `leaderboard-${size}-${locale}`);
    await person.byTestId('own-row').scrollIntoViewIfNeeded();
    await person.screenshot(`leaderboard-own-${size}-${locale}`);
    await open(person, profile, 'rating-chart');
    await expectSteadyPage(person, `player-ratings-${size}-${locale}`);
    await person.byTestId('history').locator('summary').click();
    await person.byTestId('history-row').first().waitFor();
    expect(await cutTexts(person)).toEqual([]);
    expect(await axeFindings(person)).toEqual([]);
    await person.byTestId('history').scrollIntoViewIfNeeded();
    await person.screenshot(`player-ratings-table-${size}-${locale}`);
    chromium.expectNoErrors();
  });
});

test('the leaderboard is in the navigation, and leads by keyboard to another game and to a player', async () => {
  const person = await chromium.openBrowser('guest');
  await withRatings(person);
  await person.page.waitForSelector('[data-testid="connection"][data-state="online"]');
  const focusLink = (name: string, part: string): Promise<void> => person.page.locator(part).getByRole('link', { name, exact: true }).focus();
  await focusLink('Leaderboard', '.nav');
  await person.page.keyboard.press('Enter');
  await person.page.getByRole('heading', { level: 1, name: 'Leaderboard' }).and(person.page.locator(':focus')).waitFor();
  expect(await person.page.locator('.nav [aria-current="page"]').innerText()).toBe('Leaderboard');
  await person.byTestId('ratings-sign-up').waitFor();
  await focusLink('Blitz', '.filters');
  await person.page.keyboard.press('Enter');
  await person.page.getByRole('heading', { level: 2, name: 'Dilkel · Blitz' }).waitFor();
  expect(new URL(person.page.url()).search).toBe('?variant=dilkel&speed=blitz');
  await focusLink('Ada', '.rating-table');
  await person.page.keyboard.press('Enter');
  await person.page.waitForURL(/\/u\/0192f0c1-2345-7000-8000-000000000000$/);
  chromium.expectNoErrors();
});

test.each(['en', 'de', 'es'])('the links of the header fit in the narrowest windows that show them: %s', async (locale) => {
  for (const width of [881, 1001]) {
    const person = await chromium.openBrowser(`header-${width}`, undefined, { viewport: { width, height: 500 }, locale });
    await open(person, '/ratings', 'leaderboard-empty');
    await userName(person);
    expect(await person.page.locator('.nav').isVisible()).toBe(true);
    expect(await cutTexts(person), String(width)).toEqual([]);
    const boxes = await person.page.locator('.header > :not(.menu)').evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()).map(({ left, right }) => [left, right] as const));
    const overlaps = boxes.filter(([left], index) => index > 0 && left < (boxes[index - 1]?.[1] ?? 0) - 1);
    expect(overlaps, `${width}: ${JSON.stringify(boxes)}`).toEqual([]);
    expect(boxes.at(-1)?.[1]).toBeLessThanOrEqual(width);
    const name = await person.byTestId('user').boundingBox();
    expect(name?.width, 'there is room for a name').toBeGreaterThan(60);
    expect((await person.byTestId('connection').boundingBox())?.width, 'the state of the connection').toBeGreaterThanOrEqual(10);
  }
  chromium.expectNoErrors();
});

test('players with accounts find each other for a rated match with one press', async () => {
  const [ada, ben] = [await chromium.openBrowser('ada'), await chromium.openBrowser('ben', undefined, { viewport: SIZES.phone })];
  expect(await ben.byTestId('rated-10-5').isDisabled()).toBe(true);
  for (const person of [ada, ben]) {
    if (person === ben) {
      // A guest sees the table, and the way to its seats.
      await ben.goTo(new URL(ada.page.url()).pathname);
      await ben.byTestId('account-needed').scrollIntoViewIfNeeded();
      await ben.screenshot('rated-account-needed-phone');
      expect(await axeFindings(ben)).toEqual([]);
      expect(await cutTexts(ben)).toEqual([]);
      expect(await ben.byTestId('sit-any').count()).toBe(0);
    }
    await signUp(person, `${person.name} of rank`);
    await person.goTo('/');
    await person.chooseGame('classic');
    await person.byTestId('rated-10-5').scrollIntoViewIfNeeded();
    await person.screenshot(`rated-quick-${person.name}`);
    await person.byTestId('rated-10-5').click();
    await person.byTestId('board').waitFor();
  }
  for (const { page } of [ada, ben]) await page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  expect(new URL(ben.page.url()).pathname).toBe(new URL(ada.page.url()).pathname);
  expect(await ada.byTestId('settings').innerText()).toContain('Rated');
  expect(await ada.byTestId('pause-ask').count()).toBe(0);
  chromium.expectNoErrors();
});

/** Opens the dialog for a new table and scrolls to the choice of a rated table. */
async function openRatedChoice(person: Person): Promise<void> {
  await person.page.waitForSelector('[data-testid="connection"][data-state="online"]');
  await person.byTestId('new-table').click();
  await person.byTestId('rated-hint').evaluate((hint) => hint.scrollIntoView({ block: 'center' }));
}

test.each(Object.entries(SIZES))('the dialog for a new table offers rated tables to accounts, on a %s', async (size, viewport) => {
  for (const locale of ['en', 'de', 'es']) {
    const person = await chromium.openBrowser(size, undefined, { viewport, locale, reducedMotion: 'reduce' });
    await openRatedChoice(person);
    expect(await person.byTestId('choose-rated-rated').isDisabled()).toBe(true);
    await person.screenshot(`rated-guest-${size}-${locale}`);
    expect(await axeFindings(person), `guest ${locale}`).toEqual([]);
    expect(await cutTexts(person), `guest ${locale}`).toEqual([]);
    await person.byTestId('rated-sign-up').click();
    await person.page.waitForURL(/\/sign-up$/);
    await signUp(person, `Rolf ${size} ${locale}`);
    await person.goTo('/');
    await openRatedChoice(person);
    expect(await person.byTestId('rated-hint').getAttribute('data-obstacle')).toBe('clocks');
    await person.screenshot(`rated-clocks-${size}-${locale}`);
    expect(await axeFindings(person), `account ${locale}`).toEqual([]);
    expect(await cutTexts(person), `account ${locale}`).toEqual([]);
    await person.choose('clock', '10-5');
    await person.choose('rated', 'rated');
    await person.byTestId('set-min-rating').selectOption('1400');
    await person.byTestId('set-max-rating').selectOption('1600');
    await person.byTestId('set-max-rating').scrollIntoViewIfNeeded();
    await person.screenshot(`rating-range-${size}-${locale}`);
    expect(await axeFindings(person), `range ${locale}`).toEqual([]);
    expect(await cutTexts(person), `range ${locale}`).toEqual([]);
    await person.leave();
  }
  chromium.expectNoErrors();
});

test.each(Object.entries(SIZES))('a rated match changes the ratings of its players, on a %s', async (size, viewport) => {
  const white = await chromium.openBrowser('white', undefined, { viewport, reducedMotion: 'reduce' });
  const black = await chromium.openBrowser('black');
  await signUp(white, `Wanda ${size}`);
  await signUp(black, `Bruno ${size}`);
  const profile = new URL(white.page.url()).pathname;
  await white.goTo('/');
  await openRatedChoice(white);
  await white.choose('variant', 'classic');
  await white.choose('seat', 'white');
  await white.choose('clock', '10-5');
  await white.choose('rated', 'rated');
  await white.byTestId('set-max-rating').selectOption('1600');
  await white.byTestId('create').click();
  await white.byTestId('board').waitFor();
  await black.goTo('/');
  const { pathname } = new URL(white.page.url());
  expect(await black.page.locator(`[data-table="${pathname.slice('/t/'.length)}"]`).innerText()).toContain('Rated');
  await black.sitFromLobby(pathname, 'black');
  await white.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');

  await white.byTestId('settings').click();
  await white.byTestId('expected-places').waitFor();
  expect(await white.byTestId('expected-places').locator('li').allInnerTexts()).toEqual(['White 1500? · 1.5', 'Black 1500? · 1.5']);
  await white.byTestId('expected-places').scrollIntoViewIfNeeded();
  await white.screenshot(`expected-places-${size}`);
  expect(await cutTexts(white)).toEqual([]);

  const { turn } = await white.board();
  const [first, second] = turn === 'white' ? [white, black] : [black, white];
  const moves = { white: { from: 'e2', to: 'e4', promotion: undefined }, black: { from: 'c7', to: 'c5', promotion: undefined } } as const;
  const before = await expectSameBoards([white, black]);
  await first.move(first === white ? moves.white : moves.black, 'click');
  const after = await expectSameBoards([white, black], before.seq);
  await second.move(second === white ? moves.white : moves.black, 'click');
  await expectSameBoards([white, black], after.seq);
  await black.byTestId('resign').click();
  await black.byTestId('resign-confirm').click();
  await white.byTestId('result').waitFor();
  await observeLayoutShifts(white);
  await white.byTestId('rating-change').nth(1).waitFor();
  expect(await layoutShifts(white), 'the place of the changes is reserved').toEqual([]);
  const changes = await white.byTestId('rating-change').allInnerTexts();
  expect(changes[0]).toMatch(/^1500\? \+\d+$/);
  expect(changes[1]).toMatch(/^1500\? −\d+$/);
  await white.byTestId('result').scrollIntoViewIfNeeded();
  await white.screenshot(`rated-result-${size}`);
  expect(await axeFindings(white)).toEqual([]);
  expect(await cutTexts(white)).toEqual([]);

  await open(white, profile, 'rating-chart');
  const rating = 1_500 + Number(/\d+$/.exec(changes[0] ?? '')?.[0]);
  expect(await white.byTestId('rating-classic-rapid').locator('.amount').allInnerTexts()).toEqual([`${rating}?`, '1']);
  expect(await white.byTestId('match-card').first().innerText()).toContain('Rated');
  await white.screenshot(`rated-profile-${size}`);
  await open(white, '/ratings?variant=classic&speed=rapid', 'own-row');
  expect(await white.byTestId('own-hint').innerText()).toBe('You are 9 rated matches away from being listed.');
  chromium.expectNoErrors();
});
