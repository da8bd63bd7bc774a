import { expect, test } from 'vitest';
import { userName } from '../src/accounts.ts';
import { Browsers } from '../src/browsers.ts';
import { openTableOf, startOwnMatch } from '../src/own-table.ts';
import { PHONE, type BrowserOptions, type Person } from '../src/person.ts';

const chromium = new Browsers();

const SMALL: BrowserOptions = { ...PHONE, viewport: { width: 360, height: 740 } };
const DESK: BrowserOptions = { viewport: { width: 1440, height: 900 } };

/** The focused element: its name in this test, its place on the page, and whether its focus is visible. */
interface Focused {
  readonly name: string;
  readonly top: number;
  readonly bottom: number;
  readonly hasRing: boolean;
  readonly isInDialog: boolean;
}

/** Returns the focused element, or `null` if the page itself has the focus. */
function focused(person: Person): Promise<Focused | null> {
  return person.page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    if (element === null || element === document.body || element === document.documentElement) return null;
    const named = element.closest<HTMLElement>('[data-testid], a[href], button') ?? element;
    const name = named.dataset['testid'] ?? (named.getAttribute('href') || named.getAttribute('aria-label') || named.tagName.toLowerCase());
    // A hidden radio button is drawn by its label.
    const drawn = element.matches('.visually-hidden, .option input') ? (element.closest('label') ?? element) : element;
    const faces = [drawn, ...drawn.querySelectorAll('.option-face')];
    const hasRing = faces.some((face) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(face);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    const { top, bottom } = drawn.getBoundingClientRect();
    return { name, top: top + scrollY, bottom: bottom + scrollY, hasRing, isInDialog: element.closest('dialog[open]') !== null };
  });
}

/** Returns all elements that Tab leads to, from the top of the page to its end. */
async function tabThrough(person: Person): Promise<Focused[]> {
  const all: Focused[] = [];
  for (;;) {
    await person.page.keyboard.press('Tab');
    const here = await focused(person);
    if (here === null) return all;
    all.push(here);
    expect(all.length, 'Tab leads to the end of the page').toBeLessThan(60);
  }
}

test('Tab leads down the first page of a phone, from the way to the content to the last link', async () => {
  const person = await chromium.openBrowser('visitor', undefined, { ...SMALL, reducedMotion: 'reduce' });
  await person.page.waitForSelector('.showcase[data-kind] svg');
  await person.page.locator('.footer').waitFor();
  await userName(person);
  const all = await tabThrough(person);
  const names = all.map(({ name }) => name);
  expect(names).toEqual([
    '#content',
    '/',
    'menu',
    'game-dilkel',
    'bots-dilkel',
    'bots-level',
    'bots-seat',
    'showcase-pause',
    'with-friends',
    'quick-dilkel',
    '/sign-up',
    '/rules',
    'one-screen',
    'new-table',
    '/archive',
    '/licences.html',
  ]);
  expect(all.filter(({ hasRing }) => !hasRing), 'the focus is visible everywhere').toEqual([]);
  // The way to the content is above the page while it has the focus.
  const places = all.slice(1);
  for (const [index, place] of places.entries()) {
    const before = places[index - 1];
    if (before !== undefined) expect(place.bottom, `${place.name} is not above ${before.name}`).toBeGreaterThanOrEqual(before.top);
  }
  // The way to the content leads past the header.
  await person.page.reload();
  await person.page.waitForSelector('.showcase[data-kind] svg');
  await person.page.keyboard.press('Tab');
  await person.page.keyboard.press('Enter');
  await person.page.keyboard.press('Tab');
  expect((await focused(person))?.name).toBe('game-dilkel');
  chromium.expectNoErrors();
});

/** A dialog with the way to open it by the keyboard. */
interface Opening {
  readonly page: (person: Person) => Promise<void>;
  /** The elements that are pressed one after another, by their test ids or selectors. */
  readonly press: readonly string[];
  /** The element that has the focus after the dialog is closed. Without it, it is the pressed element. */
  readonly returnsTo?: string;
  readonly window?: BrowserOptions;
}

const lobby = async (person: Person): Promise<void> => void (await person.page.waitForSelector('[data-testid="connection"][data-state="online"]'));
const waiting = (person: Person): Promise<void> => openTableOf(person, { variant: 'dilkel', privacy: 'private', seat: 'red' });
const running = (person: Person): Promise<void> => startOwnMatch(person, { variant: 'classic' });

const DIALOGS: Readonly<Record<string, Opening>> = {
  'the question for a name': { page: lobby, press: ['quick-dilkel'], window: { ...SMALL, isNew: true } },
  'the dialog for a new table': { page: lobby, press: ['new-table'] },
  'the rules over a table': { page: running, press: ['table-rules'] },
  'the rules from the header': { page: running, press: ['.nav a[href="/rules"]'], window: DESK },
  'the rules from the help': { page: running, press: ['look-help', 'help-rules'], returnsTo: 'look-help' },
  'the help about keys': { page: running, press: ['look-help'] },
  'the settings over a table': { page: running, press: ['.gear'], window: DESK },
  'the settings from the menu of a phone': { page: running, press: ['menu', '#menu a[href="/settings"]'], returnsTo: 'menu' },
  'the rules from the menu of a phone': { page: running, press: ['menu', '#menu a[href="/rules"]'], returnsTo: 'menu' },
  'another device': { page: running, press: ['menu', 'menu-handover'], returnsTo: 'menu' },
  'a bot': { page: waiting, press: ['add-bot-blue'] },
  'the resignation': { page: running, press: ['resign'] },
  'the abort': { page: running, press: ['abort-ask'] },
  'a new name': {
    page: async (person) => {
      await lobby(person);
      await person.goTo((await person.byTestId('menu-page').getAttribute('href')) ?? '');
    },
    press: ['rename'],
  },
};

/** The ways to close a dialog. */
const CLOSINGS = ['Escape', 'the close button'] as const;

test.each(Object.entries(DIALOGS))('the focus goes into a dialog, stays there, and returns: %s', async (name, { page, press, returnsTo, window = SMALL }) => {
  const person = await chromium.openBrowser('reader', undefined, { ...window, reducedMotion: 'reduce' });
  await page(person);
  const find = (which: string) => (/^[.#]/.test(which) ? person.page.locator(which) : person.byTestId(which));
  for (const closing of CLOSINGS) {
    for (const [index, which] of press.entries()) {
      // A dialog moves the focus when it opens, which is after it is rendered.
      if (index > 0) await person.page.locator('dialog[open], [popover]:popover-open').first().waitFor();
      await find(which).focus();
      await person.page.keyboard.press('Enter');
    }
    const dialog = person.page.locator('dialog[open]');
    await dialog.waitFor();
    await expect.poll(() => dialog.count(), { message: 'one dialog is open' }).toBe(1);
    await expect.poll(async () => (await focused(person))?.isInDialog, { message: 'the focus is in the dialog' }).toBe(true);
    for (let tabs = 0; tabs < 12; tabs += 1) {
      await person.page.keyboard.press('Tab');
      expect((await focused(person))?.isInDialog ?? true, 'Tab leads to nothing behind the dialog').toBe(true);
    }
    if (closing === 'Escape') {
      await person.page.keyboard.press('Escape');
    } else {
      await dialog.locator('.dialog-head .icon-button').focus();
      await person.page.keyboard.press('Enter');
    }
    await dialog.waitFor({ state: 'detached' });
    const opener = find(returnsTo ?? press.at(-1) ?? '');
    await expect.poll(() => opener.evaluate((element) => element === document.activeElement), { message: `${name}, closed by ${closing}: the focus is back` }).toBe(true);
  }
  chromium.expectNoErrors();
});

test('the help that a key opens returns the focus to the board', async () => {
  const person = await chromium.openBrowser('reader', undefined, { ...DESK, reducedMotion: 'reduce' });
  await running(person);
  await person.page.keyboard.press('b');
  const square = (await person.page.locator('[data-square]:focus').getAttribute('data-square')) ?? '';
  await person.page.keyboard.press('?');
  await person.byTestId('keys-help').waitFor();
  await person.page.keyboard.press('Escape');
  await person.page.locator(`[data-square="${square}"]:focus`).waitFor();
  chromium.expectNoErrors();
});

test('the buttons of an invite and of a shared match keep the focus', async () => {
  const person = await chromium.openBrowser('host', undefined, { ...SMALL, permissions: ['clipboard-read', 'clipboard-write'], reducedMotion: 'reduce' });
  await waiting(person);
  for (const button of ['copy-invite', 'qr-invite']) {
    await person.byTestId(button).focus();
    await person.page.keyboard.press('Enter');
    await person.byTestId('invite-for-all').and(person.page.locator(':not([hidden])')).waitFor();
    expect((await focused(person))?.name).toBe(button);
  }
  await person.byTestId('qr-code').waitFor();
  expect((await focused(person))?.name).toBe('qr-invite');

  await running(person);
  await person.byTestId('resign').click();
  await person.byTestId('resign-confirm').click();
  await person.byTestId('to-replay').click();
  await person.byTestId('create-share').focus();
  await person.page.keyboard.press('Enter');
  await person.byTestId('remove-share').waitFor();
  const isInShare = (): Promise<boolean> => person.page.evaluate(() => document.activeElement?.closest('[data-testid="share"]') !== null && document.activeElement !== null);
  await expect.poll(isInShare, { message: 'the focus is at the new link' }).toBe(true);
  await person.byTestId('remove-share').focus();
  await person.page.keyboard.press('Enter');
  await person.byTestId('create-share').waitFor();
  await expect.poll(isInShare, { message: 'the focus is at the button for a link' }).toBe(true);
  chromium.expectNoErrors();
});
