import { describe, expect, test } from 'vitest';
import { signUp } from '../src/accounts.ts';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { cutTexts } from '../src/overflow.ts';
import type { Person } from '../src/person.ts';

const chromium = new Browsers();

const SIZES = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, desk: { width: 1440, height: 900 } };

/** Expects a page without cut texts and findings of axe, and takes screenshots of it. */
async function expectGood(person: Person, name: string): Promise<void> {
  await person.page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
  expect(await cutTexts(person), name).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await person.page.emulateMedia({ colorScheme });
    await person.screenshot(`${name}-${colorScheme}`);
    expect(await axeFindings(person), `${name} ${colorScheme}`).toEqual([]);
  }
  await person.page.emulateMedia({ colorScheme: 'light' });
}

describe.each(Object.entries(SIZES))('on a %s', (size, viewport) => {
  test.each(['en', 'de', 'es'])('a player follows another one, sees that they play, and watches: %s', async (locale) => {
    const other = await chromium.openBrowser('other', undefined, { viewport, locale });
    const name = `Otto ${size} ${locale}`;
    await signUp(other, name);
    const profile = new URL(other.page.url()).pathname;
    const person = await chromium.openBrowser('person', undefined, { viewport, locale, reducedMotion: 'reduce' });
    await signUp(person, `Pia ${size} ${locale}`);
    await person.byTestId('menu').click();
    await person.byTestId('menu-friends').click();
    await person.byTestId('followed').locator('.empty').waitFor();
    await expectGood(person, `friends-empty-${size}-${locale}`);
    await person.goTo(profile);
    await person.byTestId('follows-add').click();
    await person.byTestId('follows-remove').waitFor();
    await expectGood(person, `followed-${size}-${locale}`);
    await other.goTo('/');
    const path = await other.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
    await person.goTo(path);
    await person.byTestId('sit-black').click();
    await person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
    expect((await person.page.goto(`${chromium.site.url}/friends`))?.status()).toBe(200);
    await person.byTestId('followed-user').filter({ hasText: name }).locator(`a[href="${path}"]`).waitFor();
    await person.byTestId('opponent').filter({ hasText: name }).waitFor();
    await expectGood(person, `friends-${size}-${locale}`);
    await person.byTestId('followed-user').locator(`a[href="${path}"]`).click();
    await person.byTestId('board').waitFor();
    await person.goTo('/friends');
    await person.byTestId('followed-user').getByTestId('follows-remove').click();
    await person.byTestId('followed').locator('.empty').waitFor();
    chromium.expectNoErrors();
  });
});
