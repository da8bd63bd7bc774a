import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import type { BrowserOptions, Person } from '../src/person.ts';

const chromium = new Browsers();

const CLIPBOARD: BrowserOptions = { permissions: ['clipboard-read', 'clipboard-write'] };

/** The window sizes in which the pages are checked. */
const SIZES = {
  narrow: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  tablet: { viewport: { width: 820, height: 1180 }, hasTouch: true },
  desk: { viewport: { width: 1440, height: 900 } },
} as const;

/** A browser with a share sheet that records the shared data. */
function withShareSheet(): void {
  Object.defineProperty(Navigator.prototype, 'share', {
    value: (data: { url: string }) => Promise.resolve(void document.documentElement.setAttribute('data-shared', data.url)),
  });
}

/** Saves screenshots of a page in light and dark. Expects no axe findings and no overflow. */
async function look(person: Person, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await person.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await person.screenshot(`friends-${name}-${colorScheme}`);
    expect(await axeFindings(person), `${name}, ${colorScheme}`).toEqual([]);
  }
  const overflow = await person.page.evaluate(() => {
    const root = document.querySelector('dialog[open]') ?? document.documentElement;
    return root.scrollWidth - root.clientWidth;
  });
  expect(overflow, `${name} is no wider than its window`).toBeLessThanOrEqual(0);
}

/** Presses an element and counts the press. */
class Presses {
  count = 0;

  async press(person: Person, testId: string): Promise<void> {
    this.count += 1;
    await person.byTestId(testId).click();
  }
}

/** Makes any move of the color to move, with one drag. */
async function moveOnce(person: Person): Promise<void> {
  const from = person.page.locator('[data-movable]').first();
  await from.waitFor();
  const square = await from.getAttribute('data-square');
  // The piece is picked to find its targets, and then dropped.
  await from.click();
  const to = await person.page.locator('[data-target]').first().getAttribute('data-square');
  await from.click();
  await person.move({ from: square ?? '', to: to ?? '', promotion: undefined }, 'drag');
}

test('two presses lead to a copied link, and four to a friend’s first move', async () => {
  const presses = new Presses();
  const host = await chromium.openBrowser('host', undefined, CLIPBOARD);
  await presses.press(host, 'with-friends');
  await presses.press(host, 'copy-invite');
  expect(presses.count).toBe(2);
  await host.page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('#invite='));
  const link = new URL(await host.page.evaluate(() => navigator.clipboard.readText()));
  expect(link.href).toBe(await host.byTestId('invite-for-all').inputValue());

  const friend = await chromium.openBrowser('friend', undefined, SIZES.phone);
  await friend.openLink(link);
  await friend.byTestId('leave').waitFor();
  expect(await friend.page.locator('[data-mine="true"]').count(), 'the friend is seated without a press').toBeGreaterThan(0);
  const visitor = host.byTestId('link-visitor');
  await visitor.filter({ hasText: 'plays' }).waitFor();
  await presses.press(host, 'fill-with-bots');
  await host.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  // The lot may give the host the first move, which does not count as a press.
  const first = await Promise.race([
    friend.page.locator('[data-movable]').first().waitFor().then(() => 'friend'),
    host.page.locator('[data-movable]').first().waitFor().then(() => 'host'),
  ]);
  if (first === 'host') await moveOnce(host);
  presses.count += 1;
  await moveOnce(friend);
  expect(presses.count).toBe(4);
  await friend.page.waitForFunction(() => document.querySelector('[data-movable]') === null);
  chromium.expectNoErrors();
});

/** Returns whether the window shows an element as a whole, except for a fraction of a pixel. */
async function isInWindow(element: Locator): Promise<boolean> {
  return element.evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect();
    return top >= -1 && bottom <= innerHeight + 1;
  });
}

test.each(['narrow', 'phone', 'tablet', 'desk'] as const)('a match with friends can be created and joined on a %s screen', async (size) => {
  const locale = size === 'narrow' ? 'de-DE' : 'en-US';
  const host = await chromium.openBrowser('host', undefined, { ...SIZES[size], ...CLIPBOARD, locale, before: withShareSheet });
  await host.byTestId('with-friends').waitFor();
  await host.byTestId('new-table').click();
  await host.choose('clock', 'custom');
  await host.byTestId('more-settings').click();
  await look(host, `new-table-${size}`);
  const widths = await host.page.evaluate(() =>
    ['.more-settings', '.form'].map((selector) => document.querySelector(selector)?.getBoundingClientRect().width ?? 0),
  );
  expect(widths[0], 'the rarer settings are as wide as the form').toBe(widths[1]);
  await host.page.keyboard.press('Escape');

  await host.byTestId('with-friends').click();
  await host.byTestId('share-invite').click();
  await host.page.waitForSelector('html[data-shared*="#invite="]');
  await host.byTestId('qr-invite').click();
  await expect.poll(async () => isInWindow(host.byTestId('qr-code')), { message: 'the code can be scanned at once' }).toBe(true);
  const link = new URL(await host.byTestId('invite-for-all').inputValue());
  const friend = await chromium.openBrowser('friend', undefined, { ...SIZES[size], locale });
  await friend.openLink(link);
  await friend.byTestId('leave').waitFor();
  await host.byTestId('link-visitor').waitFor();
  await host.byTestId('invite').scrollIntoViewIfNeeded();
  await look(host, `invite-${size}`);
  await look(friend, `invited-${size}`);
  chromium.expectNoErrors();
});

test('a link for a seat seats its visitor there, or shows the reason why not', async () => {
  const host = await chromium.openBrowser('host');
  await host.createTable({ variant: 'dilkel', seat: 'red', privacy: 'private' });
  const forBlue = await host.createLink('blue');
  const forAll = new URL(await host.byTestId('invite-for-all').inputValue());
  const friend = await chromium.openBrowser('friend');
  await friend.openLink(forBlue);
  await friend.page.waitForSelector('[data-testid="seat-blue"][data-mine="true"]');
  // After leaving, a reload does not seat the friend again, but the link still allows it.
  await friend.byTestId('leave').click();
  await friend.byTestId('sit-any').waitFor();
  await friend.page.reload();
  await friend.byTestId('sit-any').click();
  await friend.page.waitForSelector('[data-testid="seat-blue"][data-mine="true"]');

  await host.byTestId('fill-with-bots').click();
  await host.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  const late = await chromium.openBrowser('late');
  await late.openLink(forAll);
  await late.page.waitForSelector('[data-testid="no-seat"][data-code="already_started"]');
  await look(late, 'late');
  chromium.expectNoErrors();
});

test('an invite seats a visitor at a table that only its players may watch', async () => {
  const host = await chromium.openBrowser('host');
  await host.createTable({ variant: 'classic', seat: 'white', privacy: 'private', settings: { watchers: 'nobody' } });
  const friend = await chromium.openBrowser('friend');
  await friend.openLink(new URL(await host.byTestId('invite-for-all').inputValue()));
  await friend.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  expect(await friend.page.locator('[data-mine="true"]').count()).toBeGreaterThan(0);
  chromium.expectNoErrors();
});

test('the last choices for a table are offered again', async () => {
  const host = await chromium.openBrowser('host');
  await host.byTestId('new-table').click();
  expect(await host.byTestId('choose-seat-random').isChecked()).toBe(true);
  await host.choose('variant', 'classic');
  await host.choose('clock', '5-5');
  await host.byTestId('create').click();
  await host.byTestId('board').waitFor();
  await host.goTo('/');
  await host.byTestId('new-table').click();
  for (const choice of ['variant-classic', 'clock-5-5', 'seat-random']) {
    expect(await host.byTestId(`choose-${choice}`).isChecked(), choice).toBe(true);
  }
  chromium.expectNoErrors();
});
