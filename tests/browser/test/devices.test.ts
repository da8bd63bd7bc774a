import { expect, test } from 'vitest';
import { expectSameBoards, Chromium } from '../src/chromium.ts';
import { seatPlayers } from '../src/players.ts';
import { PHONE, type Person } from '../src/person.ts';

const chromium = new Chromium();

/** Makes the link for another device, and closes the dialog that shows it. */
async function handover(person: Person): Promise<URL> {
  await person.get('handover').click();
  const link = new URL(await person.get('handover-link').inputValue());
  expect(link.hash).toMatch(/^#seat=.{16,}/);
  await person.screenshot('handover');
  await person.page.keyboard.press('Escape');
  return link;
}

/** Checks that neither the address nor the tab's history contains the secret. */
async function expectNoSecret({ page }: Person): Promise<void> {
  expect(new URL(page.url()).hash).toBe('');
  const devtools = await page.context().newCDPSession(page);
  const { entries } = await devtools.send('Page.getNavigationHistory');
  const past = entries.map((entry) => entry.url);
  expect(past).toContain(page.url());
  expect(past.filter((url) => url.includes('seat='))).toEqual([]);
}

test('a player goes on from another device, and both follow', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  const link = await handover(white);
  const phone = await chromium.enter('phone');
  const own = await phone.get('user').innerText();
  await phone.goTo(link.pathname + link.hash);
  await phone.get('take-over-go').waitFor();
  await phone.screenshot('take-over');
  expect(await phone.get('user').innerText(), 'nothing has changed yet').toBe(own);
  await phone.get('take-over-go').click();
  await phone.square('e2').and(phone.page.locator('[data-movable]')).waitFor();
  await expectNoSecret(phone);
  const { seq } = await white.board();
  await phone.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  const { pieces } = await expectSameBoards([white, black, phone], seq);
  expect(pieces['e4']).toBe('wP');
  expect(await phone.get('user').innerText()).toBe(await white.get('user').innerText());

  // The link was good once.
  const thief = await chromium.enter('thief');
  await thief.goTo(link.pathname + link.hash);
  await thief.get('notices').filter({ hasText: /\S/ }).waitFor();
  await thief.get('board').waitFor();
  expect(await thief.get('resign').count()).toBe(0);
  chromium.expectNoErrors();
});

test('the link may be pasted where the table is open already', async () => {
  const { path, inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  const tablet = await chromium.enter('tablet');
  await tablet.goTo(path);
  await tablet.get('board').waitFor();
  expect(await tablet.get('resign').count(), 'a spectator').toBe(0);
  const link = await handover(white);
  await tablet.page.evaluate((href) => {
    document.documentElement.setAttribute('data-marked', '');
    location.href = href;
  }, link.href);
  await tablet.get('take-over-go').click();
  await tablet.square('e2').and(tablet.page.locator('[data-movable]')).waitFor();
  expect(await tablet.page.locator('html[data-marked]').count(), 'it was reloaded').toBe(1);
  await expectNoSecret(tablet);
  const { seq } = await black.board();
  await tablet.move({ from: 'd2', to: 'd4', promotion: undefined }, 'click');
  await expectSameBoards([white, black, tablet], seq);
  chromium.expectNoErrors();
});

test('two tabs of one player both follow, and either may move', async () => {
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
  // With one tab closed the player is still there.
  await second.page.close();
  await black.move({ from: 'a7', to: 'a6', promotion: undefined }, 'click');
  await expectSameBoards([white, black], seq);
  expect(await black.get('presence-white').getAttribute('data-presence')).toBe('connected');
  chromium.expectNoErrors();
});

test('who is somebody already is asked, may stay, and can return', async () => {
  const { path, inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white] = inTurn;
  if (white === undefined) throw new Error('two play');
  const name = await white.get('user').innerText();
  const visitor = await chromium.enter('visitor', undefined, PHONE);
  const own = await visitor.get('user').innerText();
  const link = await handover(white);
  await visitor.goTo(link.pathname + link.hash);
  await visitor.get('take-over-go').waitFor();
  await visitor.screenshot('take-over-phone');
  expect(await visitor.page.locator('dialog').innerText()).toContain(`You are ${own} now`);
  await visitor.get('take-over-stay').click();
  await visitor.page.waitForSelector('dialog', { state: 'detached' });
  await visitor.page.reload();
  await visitor.get('board').waitFor();
  expect(await visitor.get('resign').count(), 'still only a spectator').toBe(0);

  // The link was not used up, and is taken when it is wanted.
  await visitor.goTo('/');
  await visitor.goTo(link.pathname + link.hash);
  await visitor.get('take-over-go').click();
  await visitor.square('e2').and(visitor.page.locator('[data-movable]')).waitFor();
  expect(await visitor.page.evaluate(() => document.cookie), 'no script reads either session').toBe('');
  await visitor.page.reload();
  await visitor.get('menu').click();
  await visitor.screenshot('menu-back-phone');
  expect(await visitor.page.locator('.menu-user').innerText()).toContain(name);
  expect(await visitor.get('menu-back').innerText()).toBe(`Back to ${own}`);
  await visitor.get('menu-back').click();
  await visitor.get('resign').waitFor({ state: 'detached' });
  await visitor.goTo(path);
  await visitor.get('menu').click();
  expect(await visitor.page.locator('.menu-user').innerText()).toContain(own);
  expect(await visitor.get('menu-back').count()).toBe(0);
  chromium.expectNoErrors();
});

test('a browser that is nobody yet becomes who the link names without a question', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white] = inTurn;
  if (white === undefined) throw new Error('two play');
  const link = await handover(white);
  const fresh = await chromium.enter('fresh', 'about:blank#');
  await fresh.page.goto(link.href);
  await fresh.square('e2').and(fresh.page.locator('[data-movable]')).waitFor();
  expect(await fresh.page.locator('dialog').count()).toBe(0);
  chromium.expectNoErrors();
});
