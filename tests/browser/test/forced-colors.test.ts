import { expect, test } from 'vitest';
import type { Locator } from 'playwright-core';
import { Browsers } from '../src/browsers.ts';
import { contrast, readColor } from '../src/colors.ts';
import { openTableOf, startOwnMatch } from '../src/own-table.ts';
import { PHONE, type Person } from '../src/person.ts';
import { NetworkProxy } from '../src/proxy.ts';

const chromium = new Browsers();

/** The looks of Windows contrast themes: one with a light and one with a dark background. */
const SCHEMES = ['light', 'dark'] as const;
/** The least contrast of a sign (WCAG 2.2, 1.4.11). */
const LEAST_CONTRAST = 3;

function openForced(name: string, colorScheme: (typeof SCHEMES)[number], options = {}): Promise<Person> {
  return chromium.openBrowser(name, undefined, { colorScheme, forcedColors: 'active', reducedMotion: 'reduce', ...options });
}

/** Returns a computed style of an element or of its `pseudo` element. */
function style(locator: Locator, property: string, pseudo?: string): Promise<string> {
  return locator.first().evaluate((element, [name, of]) => getComputedStyle(element, of).getPropertyValue(name ?? ''), [property, pseudo]);
}

/** Returns the contrast of an element's color for `property` with the color of the page. */
async function contrastWithPage(person: Person, locator: Locator, property = 'background-color', pseudo?: string): Promise<number> {
  const page = await person.page.locator('html').evaluate((root) => getComputedStyle(root).backgroundColor);
  return contrast(readColor(await style(locator, property, pseudo)), readColor(page));
}

/** Expects an outline of at least two pixels. */
async function expectOutline(locator: Locator, what: string, pseudo?: string): Promise<void> {
  expect(await style(locator, 'outline-style', pseudo), what).toBe('solid');
  expect(Number.parseFloat(await style(locator, 'outline-width', pseudo)), what).toBeGreaterThanOrEqual(2);
}

test.each(SCHEMES)('the turn, a check, the last move, the picked piece and its targets are visible: %s', async (scheme) => {
  const person = await openForced('alone', scheme);
  await startOwnMatch(person, { variant: 'classic', setup: '4k3/8/8/8/8/8/4R3/4K3 b - - 0 1' });
  const plate = (color: string): Locator => person.byTestId(`seat-${color}`);
  const lamp = (color: string): Locator => plate(color).getByTestId('indicator-check');
  await expectOutline(plate('black'), 'the plate of the player to move');
  expect(await style(plate('white'), 'outline-style')).toBe('none');
  await expectOutline(person.byTestId('status'), 'the own turn');
  // A lit lamp is filled.
  expect(await lamp('black').getAttribute('data-lit')).toBe('true');
  expect(await contrastWithPage(person, lamp('black'))).toBeGreaterThan(LEAST_CONTRAST);
  expect(await contrastWithPage(person, lamp('white'))).toBe(1);
  const sign = person.byTestId('in-check');
  expect(await contrastWithPage(person, sign), 'the sign in the banner').toBeGreaterThan(LEAST_CONTRAST);
  await expectOutline(person.page.locator('.cell[data-check]'), 'the king in check', '::after');

  await person.square('e8').click();
  await expectOutline(person.square('e8'), 'the picked piece');
  const target = person.page.locator('.cell[data-target="step"]');
  const square = readColor(await style(target, 'background-color'));
  const hint = readColor(await style(target, 'background-color', '::after'));
  expect(hint.alpha, 'a target has a hint').toBeGreaterThan(0.5);
  expect(contrast(hint, square)).toBeGreaterThan(LEAST_CONTRAST);
  await person.screenshot(`forced-picked-${scheme}`);
  await person.square('d8').click();
  const last = person.page.locator('.cell[data-mark="to"]');
  await last.waitFor();
  await expectOutline(last, 'the last move', '::before');
  const current = person.page.locator('.move[data-current="true"]');
  await person.page.keyboard.press('ArrowLeft');
  await person.page.keyboard.press('ArrowRight');
  await current.waitFor();
  expect(await contrastWithPage(person, current), 'the current move in the list').toBeGreaterThan(LEAST_CONTRAST);
  await expectOutline(person.byTestId('tab-moves'), 'the open tab');
  await expect.poll(() => plate('white').getAttribute('data-turn')).toBe('true');
  await expectOutline(plate('white'), 'the next player');
  await person.screenshot(`forced-match-${scheme}`);
  chromium.expectNoErrors();
});

test.each(SCHEMES)('the connection lamps are visible and differ by their state: %s', async (scheme) => {
  const proxy = await NetworkProxy.to(chromium.server.url);
  const host = await openForced('host', scheme);
  await openTableOf(host, { variant: 'classic', privacy: 'public', seat: 'white' });
  const guest = await chromium.openBrowser('guest', proxy.url, PHONE);
  await guest.page.emulateMedia({ forcedColors: 'active', colorScheme: scheme });
  await guest.openLink(new URL(host.page.url()));
  const dot = guest.page.locator('.line-dot');
  await guest.page.waitForSelector('[data-testid="connection"][data-state="online"]');
  expect(await contrastWithPage(guest, dot), 'online: a filled circle').toBeGreaterThan(LEAST_CONTRAST);
  await guest.byTestId('sit-black').click();
  const presence = host.byTestId('presence-black');
  await host.page.waitForSelector('[data-testid="presence-black"][data-presence="connected"]');
  expect(await contrastWithPage(host, presence), 'present: a filled circle').toBeGreaterThan(LEAST_CONTRAST);
  proxy.cut();
  await guest.page.waitForSelector('[data-testid="connection"]:not([data-state="online"])');
  for (const [person, lamp] of [[guest, dot], [host, presence]] as const) {
    await expect.poll(() => contrastWithPage(person, lamp), { message: 'lost: a ring' }).toBe(1);
    expect(await contrastWithPage(person, lamp, 'border-top-color')).toBeGreaterThan(LEAST_CONTRAST);
    expect(await style(lamp, 'border-top-style')).toBe('solid');
  }
  proxy.close();
});

test.each(SCHEMES)('choices, switches and the call bar show their state: %s', async (scheme) => {
  const person = await openForced('reader', scheme);
  const game = (variant: string): Locator => person.page.locator('label', { has: person.byTestId(`game-${variant}`) });
  await expectOutline(game('dilkel'), 'the chosen game');
  expect(await style(game('classic'), 'outline-style')).toBe('none');
  await person.byTestId('new-table').click();
  const swatches = await person.page.locator('dialog .swatch[data-color], dialog [data-color] .swatch').evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  expect(new Set(swatches).size, 'each seat has its color').toBe(4);

  await person.goTo('/settings');
  const knob = async (name: string): Promise<string> => [await style(person.byTestId(`set-${name}`), 'background-color'), await style(person.byTestId(`set-${name}`), 'background-color', '::before')].join();
  expect(await person.byTestId('set-coordinates').isChecked()).toBe(true);
  expect(await person.byTestId('set-letters').isChecked()).toBe(false);
  expect(await contrastWithPage(person, person.byTestId('set-coordinates')), 'on: filled').toBeGreaterThan(LEAST_CONTRAST);
  expect(await contrastWithPage(person, person.byTestId('set-letters')), 'off: empty').toBe(1);
  for (const name of ['coordinates', 'letters']) {
    const [track = '', thumb = ''] = (await knob(name)).split(/,(?=\s*(?:rgb|color))/);
    expect(contrast(readColor(track), readColor(thumb)), `the knob of ${name}`).toBeGreaterThan(LEAST_CONTRAST);
  }
  await person.screenshot(`forced-settings-${scheme}`);

  const bots = [{ seat: 'black', bot: { kind: 'built_in', level: 1 } }];
  await openTableOf(person, { variant: 'classic', privacy: 'private', seat: 'white', seating: 'chosen', bots });
  await person.goTo('/archive');
  await person.byTestId('call').waitFor();
  expect(await style(person.byTestId('call'), 'border-top-style'), 'the bar has an edge').toBe('solid');
  await expectOutline(person.page.locator('.chip[aria-current]'), 'the chosen filter');
  await person.screenshot(`forced-call-${scheme}`);
  chromium.expectNoErrors();
});
