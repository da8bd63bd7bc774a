import { describe, expect, test } from 'vitest';
import { signUp } from '../src/accounts.ts';
import { Browsers } from '../src/browsers.ts';
import { expectGoodPage } from '../src/good-page.ts';

const chromium = new Browsers();

const SIZES = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, desk: { width: 1440, height: 900 } };

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
    await expectGoodPage(person, `friends-empty-${size}-${locale}`);
    await person.goTo(profile);
    await person.byTestId('follows-add').click();
    await person.byTestId('follows-remove').waitFor();
    await expectGoodPage(person, `followed-${size}-${locale}`);
    await other.goTo('/');
    const path = await other.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
    await person.goTo(path);
    await person.byTestId('sit-black').click();
    await person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
    expect((await person.page.goto(`${chromium.site.url}/friends`))?.status()).toBe(200);
    await person.byTestId('followed-user').filter({ hasText: name }).locator(`a[href="${path}"]`).waitFor();
    await person.byTestId('opponent').filter({ hasText: name }).waitFor();
    await expectGoodPage(person, `friends-${size}-${locale}`);
    await person.byTestId('followed-user').locator(`a[href="${path}"]`).click();
    await person.byTestId('board').waitFor();
    await person.goTo('/friends');
    await person.byTestId('followed-user').getByTestId('follows-remove').click();
    await person.byTestId('followed').locator('.empty').waitFor();
    chromium.expectNoErrors();
  });
});
