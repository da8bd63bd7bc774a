import { expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { layoutShifts, observeLayoutShifts } from '../src/layout-shift.ts';
import { cutTexts } from '../src/overflow.ts';
import { PHONE, type Person } from '../src/person.ts';

const chromium = new Browsers();

/** The windows in which the section is checked. */
const SIZES = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, desk: { width: 1440, height: 900 } };

/** Returns the displayed name of the page's user, once it is known. */
async function userName(person: Person): Promise<string> {
  const user = person.byTestId('user').filter({ hasText: /\S/ });
  await user.waitFor();
  return user.innerText();
}

/** Opens another browser and signs it in as the same user. */
async function signInAlso(person: Person, name: string): Promise<Person> {
  const own = await userName(person);
  await person.byTestId('menu').click();
  await person.byTestId('menu-handover').click();
  const link = new URL(await person.byTestId('handover-link').inputValue());
  await person.page.locator('dialog .icon-button').click();
  const other = await chromium.openBrowser(name, undefined, PHONE);
  await userName(other);
  await other.openLink(link);
  await other.byTestId('take-over-go').click();
  await other.byTestId('user').filter({ hasText: own }).waitFor();
  return other;
}

/** Waits until the list of sessions has this many rows. */
async function waitForSessions(person: Person, count: number): Promise<void> {
  await person.page.waitForFunction((expected) => document.querySelectorAll('[data-testid="session"]').length === expected, count);
}

test('a user signs out other browsers, which do not come back by themselves', async () => {
  const desk = await chromium.openBrowser('desk');
  const own = await userName(desk);
  const phone = await signInAlso(desk, 'phone');
  const tablet = await signInAlso(desk, 'tablet');
  let sockets = 0;
  phone.page.on('websocket', () => (sockets += 1));

  await desk.goTo('/settings');
  await waitForSessions(desk, 3);
  const rows = desk.byTestId('session');
  expect(await rows.filter({ hasText: 'This browser' }).count()).toBe(1);
  expect(await rows.first().innerText()).toContain('Chrome');
  expect(await axeFindings(desk)).toEqual([]);

  // The newest session is the tablet's, the phone's is the second.
  await rows.nth(1).getByTestId('end-session').click();
  await waitForSessions(desk, 2);
  await phone.byTestId('start-again').waitFor();
  expect(await phone.page.locator('dialog').innerText()).toContain(`no longer signed in as ${own}`);
  expect(await phone.byTestId('connection').getAttribute('data-state')).toBe('signed_out');
  expect(await axeFindings(phone)).toEqual([]);
  await phone.screenshot('signed-out-phone');
  const openedBefore = sockets;
  await phone.page.evaluate(() => {
    dispatchEvent(new Event('online'));
    dispatchEvent(new Event('pointerdown'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  expect(sockets, 'nothing connects again').toBe(openedBefore);

  await desk.byTestId('end-others').click();
  await desk.byTestId('sessions-result').filter({ hasText: '1 other session was signed out.' }).waitFor();
  await tablet.byTestId('start-again').waitFor();
  await waitForSessions(desk, 1);
  expect(await desk.byTestId('end-others').count()).toBe(0);

  await phone.byTestId('start-again').click();
  expect(await userName(phone)).not.toBe(own);
  await phone.page.waitForSelector('[data-testid="connection"][data-state="online"]');
  expect(await userName(desk)).toBe(own);
  chromium.expectNoErrors();
});

test('a guest is asked before losing the only session, and starts again as another guest', async () => {
  const guest = await chromium.openBrowser('guest');
  const own = await userName(guest);
  await guest.goTo('/settings');
  await waitForSessions(guest, 1);
  await guest.byTestId('end-session').click();
  await guest.byTestId('sign-out-confirm').waitFor();
  expect(await guest.page.locator('dialog').innerText()).toContain(`you lose ${own} for good`);
  expect(await axeFindings(guest)).toEqual([]);
  await guest.screenshot('sign-out-question');
  await guest.page.keyboard.press('Escape');
  await guest.page.waitForSelector('dialog', { state: 'detached' });
  expect(await userName(guest)).toBe(own);

  await guest.byTestId('end-session').click();
  await guest.byTestId('sign-out-confirm').click();
  await guest.byTestId('start-again').waitFor();
  await guest.page.keyboard.press('Escape');
  await guest.page.waitForSelector('dialog', { state: 'detached' });
  await guest.goTo('/');
  // A page that is opened later has a new guest, because the browser has no cookie any more.
  expect(await userName(guest)).not.toBe(own);
  chromium.expectNoErrors();
});

test.each(Object.entries(SIZES))('nothing shifts while the list of sessions is loaded, and nothing is cut: %s', async (size, viewport) => {
  const person = await chromium.openBrowser(size, undefined, { viewport, reducedMotion: 'reduce' });
  await userName(person);
  await person.goTo('/settings');
  await waitForSessions(person, 1);
  await observeLayoutShifts(person, 'load');
  expect(await layoutShifts(person)).toEqual([]);
  await person.byTestId('sessions').scrollIntoViewIfNeeded();
  expect(await cutTexts(person)).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await person.page.emulateMedia({ colorScheme });
    await person.screenshot(`sessions-${size}-${colorScheme}`);
    expect(await axeFindings(person)).toEqual([]);
  }
  chromium.expectNoErrors();
});
