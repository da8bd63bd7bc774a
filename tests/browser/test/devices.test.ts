import { expect, test } from 'vitest';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import { seatPlayers } from '../src/players.ts';
import { PHONE, type Person } from '../src/person.ts';

const chromium = new Browsers();

/** Returns the displayed name of the page's user, once it is known. */
async function userName(person: Person): Promise<string> {
  const user = person.byTestId('user').filter({ hasText: /\S/ });
  await user.waitFor();
  return user.innerText();
}

/** Creates a handover link and closes the dialog that shows it. */
async function handover(person: Person): Promise<URL> {
  await person.byTestId('handover').click();
  const link = new URL(await person.byTestId('handover-link').inputValue());
  expect(link.hash).toMatch(/^#seat=.{16,}/);
  await person.screenshot('handover');
  await person.page.keyboard.press('Escape');
  return link;
}

/** Expects that neither the address nor the tab's history contains the secret. */
async function expectNoSecret({ page }: Person): Promise<void> {
  expect(new URL(page.url()).hash).toBe('');
  const devtools = await page.context().newCDPSession(page);
  const { entries } = await devtools.send('Page.getNavigationHistory');
  const past = entries.map((entry) => entry.url);
  expect(past).toContain(page.url());
  expect(past.filter((url) => url.includes('seat='))).toEqual([]);
}

test('a player continues on another device, and both follow', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  const link = await handover(white);
  const phone = await chromium.openBrowser('phone');
  const own = await userName(phone);
  await phone.goTo(link.pathname + link.hash);
  await phone.byTestId('take-over-go').waitFor();
  await phone.screenshot('take-over');
  expect(await userName(phone), 'nothing has changed yet').toBe(own);
  await phone.byTestId('take-over-go').click();
  await phone.square('e2').and(phone.page.locator('[data-movable]')).waitFor();
  await expectNoSecret(phone);
  const { seq } = await white.board();
  await phone.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  const { pieces } = await expectSameBoards([white, black, phone], seq);
  expect(pieces['e4']).toBe('wP');
  expect(await userName(phone)).toBe(await userName(white));

  // The link worked once.
  const thief = await chromium.openBrowser('thief');
  await thief.goTo(link.pathname + link.hash);
  await thief.byTestId('notices').filter({ hasText: /\S/ }).waitFor();
  await thief.byTestId('board').waitFor();
  expect(await thief.byTestId('resign').count()).toBe(0);
  chromium.expectNoErrors();
});

test('the link may be pasted into an open page of the table', async () => {
  const { path, inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  const tablet = await chromium.openBrowser('tablet');
  await tablet.goTo(path);
  await tablet.byTestId('board').waitFor();
  expect(await tablet.byTestId('resign').count(), 'a spectator').toBe(0);
  const link = await handover(white);
  await tablet.page.evaluate((href) => {
    document.documentElement.setAttribute('data-marked', '');
    location.href = href;
  }, link.href);
  await tablet.byTestId('take-over-go').click();
  await tablet.square('e2').and(tablet.page.locator('[data-movable]')).waitFor();
  expect(await tablet.page.locator('html[data-marked]').count(), 'it was reloaded').toBe(1);
  await expectNoSecret(tablet);
  const { seq } = await black.board();
  await tablet.move({ from: 'd2', to: 'd4', promotion: undefined }, 'click');
  await expectSameBoards([white, black, tablet], seq);
  chromium.expectNoErrors();
});

test('two tabs of one player both follow, and either can move', async () => {
  const { path, inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  const second = await white.openTab(path);
  const all = [white, second, black];
  let { seq } = await expectSameBoards(all);
  for (const [mover, from, to] of [
    [second, 'e2', 'e4'],
    [black, 'e7', 'e5'],
    [white, 'g1', 'f3'],
    [black, 'b8', 'c6'],
    [second, 'f1', 'b5'],
  ] as const) {
    await mover.move({ from, to, promotion: undefined }, 'click');
    ({ seq } = await expectSameBoards(all, seq));
  }
  // The player stays connected after one tab is closed.
  await second.page.close();
  await black.move({ from: 'a7', to: 'a6', promotion: undefined }, 'click');
  await expectSameBoards([white, black], seq);
  expect(await black.byTestId('presence-white').getAttribute('data-presence')).toBe('connected');
  chromium.expectNoErrors();
});

test('a browser with another user is asked, may stay, and can return', async () => {
  const { path, inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white] = inTurn;
  if (white === undefined) throw new Error('two play');
  const name = await userName(white);
  const visitor = await chromium.openBrowser('visitor', undefined, PHONE);
  const own = await userName(visitor);
  const link = await handover(white);
  await visitor.goTo(link.pathname + link.hash);
  await visitor.byTestId('take-over-go').waitFor();
  await visitor.screenshot('take-over-phone');
  expect(await visitor.page.locator('dialog').innerText()).toContain(`You are ${own} now`);
  await visitor.byTestId('take-over-stay').click();
  await visitor.page.waitForSelector('dialog', { state: 'detached' });
  await visitor.page.reload();
  await visitor.byTestId('board').waitFor();
  expect(await visitor.byTestId('resign').count(), 'still only a spectator').toBe(0);

  // The link is still unused and works now.
  await visitor.goTo('/');
  await visitor.goTo(link.pathname + link.hash);
  await visitor.byTestId('take-over-go').click();
  await visitor.square('e2').and(visitor.page.locator('[data-movable]')).waitFor();
  expect(await visitor.page.evaluate(() => document.cookie), 'no script reads either session').toBe('');
  await visitor.page.reload();
  await visitor.byTestId('menu').click();
  await visitor.screenshot('menu-back-phone');
  expect(await visitor.page.locator('.menu-user').innerText()).toContain(name);
  expect(await visitor.byTestId('menu-back').innerText()).toBe(`Back to ${own}`);
  await visitor.byTestId('menu-back').click();
  await visitor.byTestId('resign').waitFor({ state: 'detached' });
  await visitor.goTo(path);
  await visitor.byTestId('menu').click();
  expect(await visitor.page.locator('.menu-user').innerText()).toContain(own);
  expect(await visitor.byTestId('menu-back').count()).toBe(0);
  chromium.expectNoErrors();
});

test('a browser without a user becomes the user of the link without a question', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white] = inTurn;
  if (white === undefined) throw new Error('two play');
  const link = await handover(white);
  const fresh = await chromium.openBrowser('fresh', 'about:blank#');
  await fresh.page.goto(link.href);
  await fresh.square('e2').and(fresh.page.locator('[data-movable]')).waitFor();
  expect(await fresh.page.locator('dialog').count()).toBe(0);
  chromium.expectNoErrors();
});
