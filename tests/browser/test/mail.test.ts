import { expect, test } from 'vitest';
import { signUp, userName, waitForUser } from '../src/accounts.ts';
import { BrowsersOf } from '../src/browsers.ts';
import { expectGoodPageAtAllSizes } from '../src/good-page.ts';
import { ServerWithMail } from '../src/mail-server.ts';
import type { BrowserOptions, Person } from '../src/person.ts';
import { LANGUAGES_WITH_SIZES, SIZES } from '../src/sizes.ts';

const chromium = new BrowsersOf(() => ServerWithMail.start());

/** Returns the path of the link to a page in the newest of a number of mails to an address. */
async function pathOfLink(address: string, page: string, count = 1): Promise<string> {
  await expect.poll(() => chromium.site.linksTo(address, page)).toHaveLength(count);
  const link = new URL(chromium.site.linksTo(address, page).at(-1) ?? '');
  return link.pathname + link.hash;
}

/** Adds an address to the account of a person, and confirms it by the link in the mail. */
async function addAddress(person: Person, address: string): Promise<void> {
  await person.goTo('/settings');
  await person.byTestId('mail-input').fill(address);
  await person.byTestId('mail-submit').click();
  await person.byTestId('mail-pending').filter({ hasText: address }).waitFor();
  await person.goTo(await pathOfLink(address, '/mail/confirm'));
  await person.page.waitForSelector('[data-testid="mail-result"][data-good="true"]');
}

test('an address is added, confirmed by a link in any browser, and replaced', async () => {
  const person = await chromium.openBrowser('person');
  await signUp(person, 'Ada');
  await person.goTo('/settings');
  await person.byTestId('mail-input').fill('ada');
  await person.byTestId('mail-submit').click();
  await person.byTestId('wrong-mail').filter({ hasText: /\S/ }).waitFor();
  await person.byTestId('mail-input').fill('ada@chess.example');
  await person.byTestId('mail-submit').click();
  await person.byTestId('mail-pending').filter({ hasText: 'ada@chess.example' }).waitFor();

  const other = await chromium.openBrowser('other');
  const link = await pathOfLink('ada@chess.example', '/mail/confirm');
  await other.goTo(link);
  await other.page.waitForSelector('[data-testid="mail-result"][data-good="true"]');
  expect(new URL(other.page.url()).hash, 'the secret leaves the address bar').toBe('');
  await other.goTo('/');
  await other.goTo(link);
  await other.page.waitForSelector('[data-testid="mail-result"][data-good="false"]');

  await person.page.reload();
  await person.byTestId('mail-address').filter({ hasText: 'ada@chess.example' }).waitFor();
  await person.byTestId('set-mail-notifications').click();
  await person.byTestId('mail-replace').click();
  await person.byTestId('mail-input').fill('zoe@chess.example');
  await person.byTestId('mail-submit').click();
  await person.byTestId('mail-pending').filter({ hasText: 'zoe@chess.example' }).waitFor();
  await person.byTestId('mail-address').filter({ hasText: 'ada@chess.example' }).waitFor();
  await other.goTo(await pathOfLink('zoe@chess.example', '/mail/confirm'));
  await other.page.waitForSelector('[data-testid="mail-result"][data-good="true"]');
  await person.page.reload();
  await person.byTestId('mail-address').filter({ hasText: 'zoe@chess.example' }).waitFor();
  expect(await person.byTestId('mail-pending').count()).toBe(0);
  await person.byTestId('mail-remove').click();
  await person.byTestId('mail-form').waitFor();
  chromium.expectNoErrors();
});

test('a forgotten password is replaced by a link, which works once and signs out other browsers', async () => {
  const person = await chromium.openBrowser('person');
  await signUp(person, 'Fay');
  await addAddress(person, 'fay@chess.example');
  const other = await chromium.openBrowser('other');
  await userName(other);
  await other.goTo('/sign-in');
  await other.byTestId('forgot-password').click();
  await other.byTestId('username-input').fill('Fay');
  await other.byTestId('reset-submit').click();
  await other.byTestId('reset-sent').waitFor();
  const link = await pathOfLink('fay@chess.example', '/password-reset');
  await other.goTo('/');
  await other.goTo(link);
  await other.byTestId('new-password-input').fill('password');
  await other.byTestId('new-password-submit').click();
  await other.byTestId('wrong-new-password').filter({ hasText: /\S/ }).waitFor();
  await other.byTestId('new-password-input').fill('five bishops, two boards');
  await other.byTestId('new-password-submit').click();
  await other.byTestId('reset-done').waitFor();
  await person.byTestId('start-again').waitFor();

  await other.goTo('/sign-in');
  await other.byTestId('username-input').fill('Fay');
  await other.byTestId('password-input').fill('five bishops, two boards');
  await other.byTestId('sign-in-submit').click();
  await waitForUser(other, 'Fay');
  await other.goTo(link);
  await other.byTestId('new-password-input').fill('six rooks, three boards');
  await other.byTestId('new-password-submit').click();
  await other.byTestId('reset-invalid').waitFor();
  chromium.expectNoErrors();
});

test.each(LANGUAGES_WITH_SIZES)('the pages are complete and accessible: %s, on a %s', async (locale, size) => {
  const viewport = SIZES[size];
  const options = { viewport, locale, reducedMotion: 'reduce' } satisfies BrowserOptions;
  const look = (person: Person, name: string): Promise<void> => expectGoodPageAtAllSizes(person, `mail-${name}-${locale}`);
  const [name, address] = [`Mia ${size} ${locale}`, `mia-${size}-${locale}@chess.example`];
  const person = await chromium.openBrowser('person', undefined, options);
  await signUp(person, name);
  await person.goTo('/settings');
  await person.byTestId('mail-form').scrollIntoViewIfNeeded();
  await look(person, 'form');
  await addAddress(person, address);
  await look(person, 'confirmed');
  await person.goTo('/settings');
  await person.byTestId('mail-replace').click();
  await person.byTestId('mail-input').fill(`next-${address}`);
  await person.byTestId('mail-submit').click();
  await person.byTestId('mail-pending').waitFor();
  await person.byTestId('mail-remove').scrollIntoViewIfNeeded();
  await look(person, 'address');
  await person.goTo('/mail/unsubscribe#unknown');
  await person.byTestId('mail-unsubscribe').waitFor();
  await look(person, 'unsubscribe');
  await person.byTestId('mail-unsubscribe').click();
  await person.page.waitForSelector('[data-testid="mail-result"][data-good="false"]');
  await look(person, 'invalid');

  await person.goTo('/sign-in');
  await person.byTestId('forgot-password').waitFor();
  await look(person, 'sign-in');
  await person.byTestId('forgot-password').click();
  await person.byTestId('reset-request').waitFor();
  await look(person, 'reset');
  await person.byTestId('username-input').fill(name);
  await person.byTestId('reset-submit').click();
  await person.byTestId('reset-sent').waitFor();
  await look(person, 'reset-sent');
  await person.goTo(await pathOfLink(address, '/password-reset'));
  await person.byTestId('new-password').waitFor();
  await look(person, 'new-password');
  chromium.expectNoErrors();
});
