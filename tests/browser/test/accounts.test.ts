import { describe, expect, test } from 'vitest';
import { PASSWORD, signUp, userName, waitForUser } from '../src/accounts.ts';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { layoutShifts, observeLayoutShifts } from '../src/layout-shift.ts';
import { cutTexts } from '../src/overflow.ts';
import { PHONE, type Person } from '../src/person.ts';

const chromium = new Browsers();

const SIZES = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, desk: { width: 1440, height: 900 } };

/** Sends the form of the page for signing in, by the keyboard only. */
async function signIn(person: Person, name: string, password: string): Promise<void> {
  await person.byTestId('username-input').focus();
  await person.page.keyboard.press('ControlOrMeta+a');
  await person.page.keyboard.type(name);
  await person.page.keyboard.press('Tab');
  await person.page.keyboard.press('ControlOrMeta+a');
  await person.page.keyboard.type(password);
  await person.page.keyboard.press('Enter');
}

test('a guest becomes an account, and signs in on another device', async () => {
  const desk = await chromium.openBrowser('desk');
  const guest = await userName(desk);
  await desk.byTestId('menu').click();
  await desk.byTestId('menu-sign-up').click();
  expect(await desk.byTestId('username-input').inputValue()).toBe(guest);
  await desk.byTestId('password-input').fill('password');
  await desk.byTestId('sign-up-submit').click();
  await desk.byTestId('wrong-password').filter({ hasText: 'Choose another password' }).waitFor();
  expect(await desk.page.evaluate(() => document.activeElement?.id)).toBe('set-password');
  expect(await axeFindings(desk)).toEqual([]);
  await desk.screenshot('sign-up-refused');
  await signUp(desk, 'Zoë');
  expect(await desk.byTestId('player').innerText()).not.toContain('Guest');

  const phone = await chromium.openBrowser('phone', undefined, PHONE);
  const other = await userName(phone);
  expect((await phone.page.goto(`${chromium.site.url}/sign-in`))?.status()).toBe(200);
  await signIn(phone, 'Zoë', 'wrong');
  await phone.byTestId('wrong-password').filter({ hasText: 'The name or the password is wrong.' }).waitFor();
  await phone.screenshot('sign-in-refused-phone');
  // The same sentence does not say which names exist.
  await signIn(phone, 'Nobody At All', PASSWORD);
  await phone.byTestId('wrong-password').filter({ hasText: 'The name or the password is wrong.' }).waitFor();
  await signIn(phone, 'zoë', PASSWORD);
  await waitForUser(phone, 'Zoë');
  expect(new URL(phone.page.url()).pathname).toBe('/');

  // Another guest does not get the name.
  const third = await chromium.openBrowser('third');
  await userName(third);
  await third.goTo('/sign-up');
  await third.byTestId('username-input').fill('ZOË');
  await third.byTestId('password-input').fill(PASSWORD);
  await third.byTestId('sign-up-submit').click();
  await third.byTestId('wrong-username').filter({ hasText: 'belongs to another player' }).waitFor();

  await phone.byTestId('menu').click();
  await phone.byTestId('menu-back').click();
  await waitForUser(phone, other);
  chromium.expectNoErrors();
});

test('a changed password signs out other browsers', async () => {
  const desk = await chromium.openBrowser('desk');
  await signUp(desk, 'Mira');
  const phone = await chromium.openBrowser('phone', undefined, PHONE);
  await userName(phone);
  await phone.goTo('/sign-in');
  await signIn(phone, 'Mira', PASSWORD);
  await waitForUser(phone, 'Mira');
  await desk.goTo('/settings');
  await desk.byTestId('change-password').click();
  await desk.byTestId('current-password-input').fill(PASSWORD);
  await desk.byTestId('new-password-input').fill(`${PASSWORD}!`);
  expect(await axeFindings(desk)).toEqual([]);
  await desk.screenshot('change-password');
  await desk.byTestId('password-submit').click();
  await desk.byTestId('account-result').filter({ hasText: '1 other session was signed out' }).waitFor();
  await phone.byTestId('sign-in-again').click();
  await signIn(phone, 'Mira', `${PASSWORD}!`);
  await waitForUser(phone, 'Mira');

  // An account signs out without a question.
  await desk.byTestId('sign-out').click();
  await desk.byTestId('sign-in-again').waitFor();
  chromium.expectNoErrors();
});

test('a guest with a table is asked before signing in as another player, and comes back with a recovery key', async () => {
  const guest = await chromium.openBrowser('guest', undefined, PHONE);
  const name = await userName(guest);
  await guest.createTable({ variant: 'classic', seat: 'white', privacy: 'private' });
  await guest.goTo('/settings');
  await guest.byTestId('create-key').click();
  const key = await guest.byTestId('shown-key').inputValue();
  expect(key.length).toBeGreaterThan(24);
  expect(await axeFindings(guest)).toEqual([]);
  expect(await cutTexts(guest)).toEqual([]);
  await guest.screenshot('recovery-key-phone');
  const download = guest.page.waitForEvent('download');
  await guest.byTestId('save-key').click();
  expect((await download).suggestedFilename()).toBe('quadrex-recovery-key.txt');
  await guest.page.keyboard.press('Escape');

  const host = await chromium.openBrowser('host');
  await signUp(host, 'Otto');
  await guest.goTo('/sign-in');
  await signIn(guest, 'Otto', PASSWORD);
  await guest.byTestId('leave-stay').waitFor();
  expect(await axeFindings(guest)).toEqual([]);
  await guest.screenshot('leave-question-phone');
  await guest.byTestId('leave-stay').click();
  await guest.page.waitForSelector('dialog', { state: 'detached' });
  expect(await userName(guest)).toBe(name);

  const other = await chromium.openBrowser('other');
  await userName(other);
  await other.goTo('/sign-in');
  await other.byTestId('with-key').click();
  await other.byTestId('recovery-key-input').fill(key);
  await other.byTestId('key-submit').click();
  await waitForUser(other, name);
  chromium.expectNoErrors();
});

test('a token acts for the user until it is revoked', async () => {
  const person = await chromium.openBrowser('person', undefined, PHONE);
  const name = await userName(person);
  await person.goTo('/settings');
  await person.byTestId('new-token').click();
  await person.byTestId('token-name-input').fill('Bot at home');
  await person.byTestId('scope-host').check();
  expect(await axeFindings(person)).toEqual([]);
  expect(await cutTexts(person)).toEqual([]);
  await person.screenshot('new-token-phone');
  await person.byTestId('token-submit').click();
  const token = await person.byTestId('shown-token').inputValue();
  await person.screenshot('shown-token-phone');
  await person.page.keyboard.press('Escape');
  const me = (): Promise<Response> => fetch(`${chromium.site.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(await (await me()).json()).toMatchObject({ user: { name } });
  expect(await person.byTestId('token').innerText()).toContain('Bot at home');
  await person.byTestId('token').scrollIntoViewIfNeeded();
  await person.screenshot('tokens-phone');
  await person.byTestId('revoke-token').click();
  await person.byTestId('tokens-result').filter({ hasText: 'Bot at home' }).waitFor();
  expect((await me()).status).toBe(401);
  chromium.expectNoErrors();
});

describe.each(Object.entries(SIZES))('on a %s', (size, viewport) => {
  test.each(['en', 'de', 'es'])('nothing is cut or shifts on the pages about accounts: %s', async (locale) => {
    const person = await chromium.openBrowser(size, undefined, { viewport, locale, reducedMotion: 'reduce' });
    await userName(person);
    for (const [path, ready] of [
      ['/sign-in', 'sign-in'],
      ['/sign-up', 'sign-up'],
      ['/settings', 'session'],
    ] as const) {
      await person.goTo(path);
      await person.byTestId(ready).first().waitFor();
      await person.page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
      await observeLayoutShifts(person, 'load');
      expect(await layoutShifts(person), path).toEqual([]);
      expect(await cutTexts(person), path).toEqual([]);
      for (const colorScheme of ['light', 'dark'] as const) {
        await person.page.emulateMedia({ colorScheme });
        if (path === '/settings') await person.byTestId('account').evaluate((section) => section.scrollIntoView());
        await person.screenshot(`accounts-${path.slice(1)}-${size}-${locale}-${colorScheme}`);
        expect(await axeFindings(person), `${path} ${colorScheme}`).toEqual([]);
      }
      await person.page.emulateMedia({ colorScheme: 'light' });
    }
    chromium.expectNoErrors();
  });
});
