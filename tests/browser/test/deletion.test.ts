import { expect, test } from 'vitest';
import { PASSWORD, signUp, userName } from '../src/accounts.ts';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { PHONE } from '../src/person.ts';

const chromium = new Browsers();

test('an account is deleted with its password, and its profile has no name any more', async () => {
  const person = await chromium.openBrowser('owner', undefined, PHONE);
  await signUp(person, 'Dorothea');
  const profile = new URL(person.page.url()).pathname;
  await person.goTo('/settings');
  await person.byTestId('delete-user').click();
  await person.byTestId('deletion-password-input').fill('a wrong password');
  await person.byTestId('deletion-confirm').click();
  await person.byTestId('wrong-deletion-password').filter({ hasText: /\S/ }).waitFor();
  await person.byTestId('deletion-password-input').fill(PASSWORD);
  await person.screenshot('deletion-phone');
  expect(await axeFindings(person)).toEqual([]);
  await person.byTestId('deletion-confirm').click();
  await person.byTestId('start-again').waitFor();
  await person.screenshot('deleted-phone');
  expect(await axeFindings(person)).toEqual([]);

  const other = await chromium.openBrowser('other');
  await userName(other);
  await other.goTo(profile);
  await other.page.getByRole('heading', { name: 'Deleted user' }).waitFor();
  expect(await other.page.locator('main').innerText()).not.toContain('Dorothea');
  chromium.expectNoErrors();
});
