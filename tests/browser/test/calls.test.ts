import { expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { openTableOf } from '../src/own-table.ts';
import { PHONE, type Person } from '../src/person.ts';

const chromium = new Browsers();

/** Takes a seat at a table for two, where no other player is yet. */
async function waitForOther(person: Person): Promise<string> {
  await person.chooseGame('classic');
  await person.byTestId('quick-classic').click();
  await person.byTestId('board').waitFor();
  return new URL(person.page.url()).pathname;
}

async function joinOther(person: Person): Promise<void> {
  await person.chooseGame('classic');
  await person.byTestId('quick-classic').click();
  await person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
}

/** Opens a page by a click on a link, which does not reload the client. */
async function browse(person: Person, path: string): Promise<void> {
  await person.page.evaluate((to) => {
    const link = document.createElement('a');
    link.href = to;
    document.body.append(link);
    link.click();
    link.remove();
  }, path);
  await person.page.waitForURL((url) => url.pathname === path);
}

test.each(['/rules', '/archive', '/analysis', '/settings'])('a player who waits at %s is notified of the start of the match, and opens it with one press', async (path) => {
  const [waiting, other] = [await chromium.openBrowser('waiting', undefined, PHONE), await chromium.openBrowser('other')];
  const table = await waitForOther(waiting);
  await browse(waiting, path);
  await joinOther(other);
  expect(new URL(other.page.url()).pathname, 'one who is elsewhere on the site is no reason to open another table').toBe(table);
  await waiting.byTestId('call').waitFor();
  expect(await waiting.page.title()).toMatch(/^(?:● |▶▶ )?(?:Your move|Your match has started)/);
  expect(await waiting.page.locator('link[rel="icon"]').getAttribute('href')).toBe('/favicon-badge.svg');
  expect(await axeFindings(waiting)).toEqual([]);
  await waiting.screenshot(`call-${path.slice(1)}`);
  await waiting.page.locator('.call-link').click();
  await waiting.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  expect(await waiting.byTestId('call').count()).toBe(0);
  expect(await waiting.page.locator('link[rel="icon"]').getAttribute('href')).toBe('/favicon.svg');
  chromium.expectNoErrors();
});

test('a player who waits in the lobby is taken to the match', async () => {
  const [waiting, other] = [await chromium.openBrowser('waiting'), await chromium.openBrowser('other')];
  const table = await waitForOther(waiting);
  await browse(waiting, '/');
  await joinOther(other);
  await waiting.page.waitForURL((url) => url.pathname === table);
  await waiting.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  chromium.expectNoErrors();
});

test('other pages notify a player of each turn, with the time left', async () => {
  const [waiting, other] = [await chromium.openBrowser('waiting'), await chromium.openBrowser('other')];
  await waitForOther(waiting);
  await joinOther(other);
  await expect.poll(async () => (await waiting.mayMove()) || (await other.mayMove())).toBe(true);
  const [white, black] = (await waiting.mayMove()) ? [waiting, other] : [other, waiting];
  await browse(black, '/rules');
  expect(await black.byTestId('call').count()).toBe(0);
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  const call = black.page.locator('[data-testid="call"][data-kind="move"]');
  await call.waitFor();
  expect(await black.byTestId('call-time').textContent()).toMatch(/^\d+:\d\d/);
  await black.screenshot('call-your-move-desk');
  await black.page.locator('.call-link').click();
  await black.page.waitForSelector('[data-square="e4"][data-piece="wP"]');
  await black.move({ from: 'e7', to: 'e5', promotion: undefined }, 'click');
  await white.page.waitForSelector('[data-square="e5"][data-piece="bP"]');
  chromium.expectNoErrors();
});

test('beside a large board the bar covers neither the board nor a plate', async () => {
  const person = await chromium.openBrowser('busy', undefined, { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const bots = [{ seat: 'black', bot: { kind: 'built_in', level: 1 } }];
  await openTableOf(person, { variant: 'classic', privacy: 'private', seat: 'white', seating: 'chosen', bots });
  await openTableOf(person, { variant: 'dilkel', privacy: 'private', seat: 'red' });
  const call = person.byTestId('call');
  for (const path of [new URL(person.page.url()).pathname, '/analysis']) {
    await person.goTo(path);
    await call.waitFor();
    await person.byTestId('board').waitFor();
    await person.screenshot(`call-beside-board${path === '/analysis' ? '-analysis' : ''}`);
    const bar = await call.boundingBox();
    const boxes = await person.page.locator('.board-frame, .plate').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(bar?.x).toBeGreaterThanOrEqual(Math.max(...boxes));
  }
  chromium.expectNoErrors();
});

/** Counts the tones that a page plays, in place of playing them. */
function countTones(): void {
  let count = 0;
  const node = { connect: (to: unknown) => to, gain: { setValueAtTime: () => 0, exponentialRampToValueAtTime: () => 0 }, frequency: {} };
  const start = (): void => {
    count += 1;
    document.documentElement.setAttribute('data-tones', String(count));
  };
  class Audio {
    state = 'running';
    currentTime = 0;
    createOscillator = (): object => ({ ...node, start, stop: () => undefined });
    createGain = (): object => node;
    resume = (): Promise<void> => Promise.resolve();
    close = (): Promise<void> => Promise.resolve();
  }
  Object.assign(globalThis, { AudioContext: Audio });
}

/** Takes the locks away, which pages over plain HTTP do not have. */
function removeLocks(): void {
  Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
}

/** The time after which each tab has decided whether it plays a call, in milliseconds: twice the time for bids. */
const DECIDED_MS = 300;

test.each([true, false])('only one of two tabs plays the sound of a call, with locks: %s', async (hasLocks) => {
  const before = { before: countTones };
  const [waiting, other] = [await chromium.openBrowser('waiting', undefined, before), await chromium.openBrowser('other', undefined, before)];
  if (!hasLocks) for (const { page } of [waiting, other]) await page.context().addInitScript(removeLocks);
  if (!hasLocks) for (const person of [waiting, other]) await person.goTo('/');
  await waitForOther(waiting);
  await joinOther(other);
  await expect.poll(async () => (await waiting.mayMove()) || (await other.mayMove())).toBe(true);
  const [white, black] = (await waiting.mayMove()) ? [waiting, other] : [other, waiting];
  await browse(black, '/rules');
  const tabs = [black, await black.openTab('/archive')];
  for (const tab of tabs) {
    await tab.page.locator('h1').first().click();
    await tab.page.evaluate(() => document.documentElement.setAttribute('data-tones', '0'));
    expect(await tab.page.evaluate(() => navigator.locks !== undefined)).toBe(hasLocks);
  }
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  for (const tab of tabs) await tab.page.locator('[data-testid="call"][data-kind="move"]').waitFor();
  const tones: number[] = [];
  for (const tab of tabs) {
    // The tab has requested its lock before this one, and has its answer by then. Without locks, its timer began before this one.
    await tab.page.evaluate(async ([locked, time]) => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      if (locked) await navigator.locks.request('test', () => undefined);
      else await new Promise((resolve) => setTimeout(resolve, time));
    }, [hasLocks, DECIDED_MS] as const);
    tones.push(await tab.page.evaluate(() => Number(document.documentElement.dataset['tones'])));
  }
  expect(tones.filter((count) => count > 0), `tones of the tabs: ${tones.join()}`).toHaveLength(1);
  chromium.expectNoErrors();
});

test('quick join skips tables of players who have closed the page', async () => {
  const [gone, other] = [await chromium.openBrowser('gone'), await chromium.openBrowser('other')];
  const table = await waitForOther(gone);
  await gone.page.waitForSelector('[data-testid="seat-white"][data-mine="true"]');
  await gone.page.goto('about:blank');
  await other.goTo(table);
  await other.page.waitForSelector('[data-testid="presence-white"][data-presence="gone"]');
  await other.goTo('/');
  await other.chooseGame('classic');
  await other.byTestId('quick-classic').click();
  await other.byTestId('board').waitFor();
  expect(new URL(other.page.url()).pathname).not.toBe(table);
  chromium.expectNoErrors();
});

test('a host who has waited for 20 seconds is offered bots, and starts with one press', async () => {
  const host = await chromium.openBrowser('host', undefined, PHONE);
  await host.byTestId('quick-dilkel').click();
  await host.byTestId('waiting-offer').waitFor({ timeout: 40_000 });
  await host.byTestId('waiting-offer').scrollIntoViewIfNeeded();
  expect(await axeFindings(host)).toEqual([]);
  await host.screenshot('waiting-offer');
  await host.byTestId('offer-bots').click();
  await host.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  chromium.expectNoErrors();
});
