import { expect, test } from 'vitest';
import { PASSWORD, userId, userName, waitForUser } from '../src/accounts.ts';
import { BrowsersOf } from '../src/browsers.ts';
import { expectGoodPageAtAllSizes } from '../src/good-page.ts';
import { ServerWithProvider } from '../src/identity-provider.ts';
import type { BrowserOptions, Person } from '../src/person.ts';
import { LANGUAGES_WITH_SIZES, SIZES } from '../src/sizes.ts';

const chromium = new BrowsersOf(() => ServerWithProvider.start());

/** Goes to the provider by a button of the page, and answers its question as a user of it. */
async function answerProvider(person: Person, button: string, user: string, answer: 'agree' | 'refuse'): Promise<void> {
  chromium.site.provider.user = user;
  await person.byTestId(button).click();
  await person.byTestId(answer).click();
}

/** Makes the guest of a browser an account with the name of a user of the provider. */
async function signUpWithProvider(person: Person, user: string): Promise<void> {
  await userName(person);
  await person.goTo('/sign-up');
  await answerProvider(person, 'continue-with-lichess', user, 'agree');
  await person.byTestId('complete-submit').click();
  await waitForUser(person, user);
}

test('a guest becomes an account with a provider, and signs in with it on another device', async () => {
  const person = await chromium.openBrowser('person');
  const guest = await userId(person);
  await person.goTo('/sign-up');
  await answerProvider(person, 'continue-with-lichess', 'Magnus', 'agree');
  await person.page.waitForURL(/\/sign-in\/complete$/);
  expect(await person.byTestId('username-input').inputValue()).toBe('Magnus');
  await person.byTestId('username-input').fill('Magnus the Great');
  await person.byTestId('complete-submit').click();
  await waitForUser(person, 'Magnus the Great');
  expect(new URL(person.page.url()).pathname).toBe('/');
  expect(await userId(person), 'the guest keeps tables and matches').toBe(guest);

  const other = await chromium.openBrowser('other');
  const otherGuest = await userName(other);
  await other.goTo('/sign-in');
  await answerProvider(other, 'continue-with-lichess', 'Magnus', 'agree');
  await waitForUser(other, 'Magnus the Great');
  expect(await userId(other)).toBe(guest);
  await other.byTestId('menu').click();
  await other.byTestId('menu-back').click();
  await waitForUser(other, otherGuest);
  chromium.expectNoErrors();
});

test('a sign-in that the user does not allow is reported, and nothing changes', async () => {
  const person = await chromium.openBrowser('person');
  const guest = await userName(person);
  await person.goTo('/sign-in');
  await answerProvider(person, 'continue-with-lichess', 'Hikaru', 'refuse');
  await person.byTestId('notices').filter({ hasText: 'You did not allow the sign-in.' }).waitFor();
  expect(new URL(person.page.url()).hash).toBe('');
  expect(await userName(person)).toBe(guest);
  await person.goTo('/sign-in/complete');
  await person.byTestId('sign-up-expired').waitFor();
  chromium.expectNoErrors();
});

test('an account without a password keeps its only way to sign in, until it has a password', async () => {
  const person = await chromium.openBrowser('person');
  await signUpWithProvider(person, 'Judit');
  await person.goTo('/settings');
  const row = person.byTestId('provider-lichess');
  await row.filter({ hasText: 'Connected as Judit' }).waitFor();
  await person.byTestId('disconnect-lichess').click();
  await person.byTestId('sign-ins-result').filter({ hasText: 'Set a password first.' }).waitFor();
  await person.byTestId('change-password').filter({ hasText: 'Set a password' }).click();
  await person.byTestId('new-password-input').fill(PASSWORD);
  await person.byTestId('password-submit').click();
  await person.byTestId('account-result').filter({ hasText: 'your password' }).waitFor();
  await person.byTestId('disconnect-lichess').click();
  await person.byTestId('connect-lichess').waitFor();

  await answerProvider(person, 'connect-lichess', 'Judit', 'agree');
  await person.page.waitForURL(/\/settings$/);
  await row.filter({ hasText: 'Connected as Judit' }).waitFor();
  const other = await chromium.openBrowser('other');
  await signUpWithProvider(other, 'Susan');
  await other.goTo('/settings');
  await other.byTestId('change-password').filter({ hasText: 'Set a password' }).click();
  await other.byTestId('new-password-input').fill(PASSWORD);
  await other.byTestId('password-submit').click();
  await other.byTestId('account-result').filter({ hasText: 'your password' }).waitFor();
  await other.byTestId('disconnect-lichess').click();
  await answerProvider(other, 'connect-lichess', 'Judit', 'agree');
  await other.byTestId('notices').filter({ hasText: 'connected with another account' }).waitFor();
  chromium.expectNoErrors();
});

test.each(LANGUAGES_WITH_SIZES)('the pages are complete and accessible: %s, on a %s', async (locale, size) => {
  const viewport = SIZES[size];
  const options = { viewport, locale, reducedMotion: 'reduce' } satisfies BrowserOptions;
  const user = `Vera ${size} ${locale}`;
  const person = await chromium.openBrowser('person', undefined, options);
  await userName(person);
  for (const page of ['sign-in', 'sign-up']) {
    await person.goTo(`/${page}`);
    await person.byTestId('providers').waitFor();
    await expectGoodPageAtAllSizes(person, `providers-${page}-${locale}`);
  }
  await answerProvider(person, 'continue-with-lichess', user, 'agree');
  await person.byTestId('complete-sign-up').waitFor();
  await expectGoodPageAtAllSizes(person, `providers-complete-${locale}`);
  await person.byTestId('complete-submit').click();
  await waitForUser(person, user);
  await person.goTo('/settings');
  await person.byTestId('disconnect-lichess').click();
  await person.byTestId('sign-ins-result').filter({ hasText: '.' }).waitFor();
  await person.byTestId('sign-ins').scrollIntoViewIfNeeded();
  await expectGoodPageAtAllSizes(person, `providers-settings-${locale}`);
  chromium.expectNoErrors();
});
