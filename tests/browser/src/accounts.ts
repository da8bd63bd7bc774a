import type { Person } from './person.ts';

/** The password of the accounts in tests. */
export const PASSWORD = 'four horses, one board';

/** Returns the displayed name of the page's user, once it is known. */
export async function userName(person: Person): Promise<string> {
  const user = person.byTestId('user').filter({ hasText: /\S/ });
  await user.waitFor();
  return user.innerText();
}

/** Waits until the page shows this name of its user. */
export async function waitForUser(person: Person, name: string): Promise<void> {
  await person.byTestId('user').filter({ hasText: name }).waitFor();
}

/** Makes the guest of a browser an account. */
export async function signUp(person: Person, name: string): Promise<void> {
  await userName(person);
  await person.goTo('/sign-up');
  await person.byTestId('username-input').fill(name);
  await person.byTestId('password-input').fill(PASSWORD);
  await person.byTestId('sign-up-submit').click();
  await person.page.waitForURL(/\/u\//);
  await waitForUser(person, name);
}

/** Signs the browser in with the account of this name. */
export async function signIn(person: Person, name: string): Promise<void> {
  await userName(person);
  await person.goTo('/sign-in');
  await person.byTestId('username-input').fill(name);
  await person.byTestId('password-input').fill(PASSWORD);
  await person.page.keyboard.press('Enter');
  await waitForUser(person, name);
}

/** Returns the id of the user of a browser. */
export async function userId(person: Person): Promise<string> {
  await userName(person);
  await person.byTestId('menu').click();
  const path = await person.byTestId('menu-page').getAttribute('href');
  await person.page.keyboard.press('Escape');
  return (path ?? '').slice('/u/'.length);
}
