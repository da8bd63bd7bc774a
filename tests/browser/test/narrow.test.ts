import { beforeAll, describe, expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { cutTexts } from '../src/overflow.ts';
import { seatPlayers } from '../src/players.ts';
import type { Person } from '../src/person.ts';

const chromium = new Browsers();

const LANGUAGES = ['en', 'de', 'es'];
const WIDTHS = { phone: 360, 'a page at 400 %': 320 };
const HEIGHT = 740;

/** The pages, each with an element of the loaded page. Tables and matches are made first. */
const PAGES: Record<string, { path: string; ready: string; prepare?: (person: Person) => Promise<void> }> = {
  lobby: { path: '/', ready: '[data-testid="table-row"]' },
  'new-table': {
    path: '/',
    ready: '[data-testid="new-table"]',
    prepare: async (person) => {
      await person.byTestId('new-table').click();
      await person.byTestId('more-settings').click();
    },
  },
  archive: { path: '/archive', ready: 'main h1' },
  analysis: { path: '/analysis', ready: '[data-testid="board"]' },
  rules: { path: '/rules', ready: 'main h1' },
  lesson: { path: '/rules', ready: '[data-testid="lesson-classic"]', prepare: (person) => person.byTestId('lesson-classic').click() },
  settings: { path: '/settings', ready: '[data-testid="usual"]' },
  missing: { path: '/nothing/here', ready: 'main h1' },
};

/** Returns what is cut on each page. */
async function cutOnPages(person: Person, language: string, width: number): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, { path, ready, prepare }] of Object.entries(PAGES)) {
    await person.goTo(path);
    await person.page.waitForSelector(ready);
    await person.page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
    await prepare?.(person);
    await person.screenshot(`narrow-${name}-${language}-${width}`);
    // The note below a name in a corner of the board may be shortened. Its dot says the same.
    for (const text of await cutTexts(person)) if (!text.includes('plate-note-text')) wrong.push(`${name}: ${text}`);
  }
  return wrong;
}

describe('nothing is cut on a narrow page', () => {
  beforeAll(async () => {
    const host = await chromium.openBrowser('host');
    PAGES['open table'] = { path: await host.createTable({ variant: 'dilkel', seat: 'red', privacy: 'public' }), ready: '[data-testid="board"]' };
    const { path, inTurn } = await seatPlayers(chromium, { variant: 'dilkel' });
    PAGES['table'] = { path, ready: '[data-testid="board"]' };
    const [player] = inTurn;
    if (player === undefined) throw new Error('four play');
    await player.goTo('/archive');
    const card = player.byTestId('match-card').first();
    await card.waitFor();
    PAGES['match'] = { path: `/m/${await card.getAttribute('data-match')}`, ready: 'main h1' };
    await player.byTestId('menu').click();
    PAGES['user'] = { path: (await player.byTestId('menu-page').getAttribute('href')) ?? '', ready: 'main h1' };
  });

  test.each(LANGUAGES.flatMap((language) => Object.entries(WIDTHS).map(([size, width]) => [language, size, width] as const)))(
    'in %s, on %s',
    async (language, _size, width) => {
      const person = await chromium.openBrowser('reader', undefined, { viewport: { width, height: HEIGHT }, locale: language, hasTouch: true, isMobile: true });
      expect(await cutOnPages(person, language, width)).toEqual([]);
      chromium.expectNoErrors();
    },
    300_000,
  );
});
