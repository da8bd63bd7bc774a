import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { expectGoodPageAtAllSizes } from '../src/good-page.ts';
import { openTableOf } from '../src/own-table.ts';
import type { Person } from '../src/person.ts';
import { LANGUAGES_WITH_SIZES, SIZES } from '../src/sizes.ts';

const chromium = new Browsers();

const E4 = { from: 'e2', to: 'e4', promotion: undefined };
const E5 = { from: 'e7', to: 'e5', promotion: undefined };

/** Presses squares of the board in the dialog for a line. */
async function plan(person: Person, ...squares: readonly string[]): Promise<void> {
  for (const square of squares) await person.page.locator('.conditional-board').locator(`[data-square="${square}"]`).click();
}

test.each(LANGUAGES_WITH_SIZES)('a planned move is made at once, and a vacation is announced: %s, on a %s', async (locale, size) => {
  const viewport = SIZES[size];
  const options = { viewport, locale, reducedMotion: 'reduce' } as const;
  const [white, black] = [await chromium.openBrowser('white', undefined, options), await chromium.openBrowser('black', undefined, { locale })];
  await openTableOf(white, { variant: 'classic', privacy: 'public', seat: 'white', seating: 'chosen', time: { kind: 'correspondence', days: 3 } });
  const path = new URL(white.page.url()).pathname;
  await black.goTo(path);
  await black.byTestId('sit-black').click();
  await white.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  await white.move(E4, 'click');
  await white.page.waitForSelector('[data-testid="board"][data-turn="black"]');

  await black.goTo('/games');
  await black.byTestId('vacation-days').fill('3');
  await black.byTestId('vacation-start').click();
  await black.byTestId('vacation-on').waitFor();
  const away = white.byTestId('seat-black').filter({ hasText: /Back|Zurück|Vuelve/ });
  await away.waitFor();
  // The widest time of a player with 14 days for a move.
  await away.locator('.clock').evaluate((clock) => (clock.textContent = '13d 23h'));
  await expectGoodPageAtAllSizes(white, `opponent-on-vacation-${locale}`);
  await black.byTestId('vacation-end').click();
  await away.waitFor({ state: 'detached' });

  await white.byTestId('conditional-summary').click();
  await white.byTestId('conditional-add').click();
  await white.page.waitForSelector('[data-testid="conditional-question"][data-turn="black"]');
  await plan(white, 'e7', 'e5');
  await white.page.waitForSelector('[data-testid="conditional-question"][data-turn="white"]');
  await plan(white, 'g1', 'f3');
  await expectGoodPageAtAllSizes(white, `conditional-editor-${locale}`);
  await white.byTestId('conditional-save').click();
  await white.byTestId('conditional-line').waitFor();
  await expectGoodPageAtAllSizes(white, `conditional-moves-${locale}`);

  await black.goTo(path);
  await black.page.waitForSelector('[data-testid="board"][data-turn="black"]');
  await black.move(E5, 'click');
  await white.page.waitForSelector('[data-square="f3"][data-piece]');
  await white.byTestId('conditional-played').waitFor();
  await expect.poll(() => white.byTestId('conditional-line').count()).toBe(0);
  await white.page.waitForSelector('[data-testid="board"][data-turn="black"]');
  chromium.expectNoErrors();
});

test.each(LANGUAGES_WITH_SIZES)('a player chooses the days of a vacation: %s, on a %s', async (locale, size) => {
  const viewport = SIZES[size];
  const person = await chromium.openBrowser('person', undefined, { viewport, locale, reducedMotion: 'reduce' });
  await person.goTo('/games');
  await person.byTestId('vacation-days').waitFor();
  await expectGoodPageAtAllSizes(person, `vacation-${locale}`);
  await person.byTestId('vacation-start').click();
  await person.byTestId('vacation-on').waitFor();
  await expectGoodPageAtAllSizes(person, `vacation-on-${locale}`);
  chromium.expectNoErrors();
});
