import { expect, test } from 'vitest';
import { seatPlayers } from '../src/players.ts';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import { PHONE, type Person } from '../src/person.ts';
import { scriptedMoves } from '../src/script.ts';

const chromium = new Browsers();

/**
 * Starts to add up the layout shifts of a page. Browsers exclude shifts after input of the user.
 */
async function observeLayoutShifts(person: Person): Promise<() => Promise<number>> {
  await person.page.evaluate(() => {
    const page = window as unknown as { shifts: number };
    page.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) page.shifts += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift' });
  });
  return () => person.page.evaluate(() => (window as unknown as { shifts: number }).shifts);
}

test('an empty lobby leads to a hotseat table with one click', async () => {
  const person = await chromium.openBrowser('first');
  await person.page.waitForSelector('[data-testid="showcase"][data-kind="demo"]');
  await person.screenshot('lobby-empty');
  await person.byTestId('one-screen').click();
  await person.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  const shown = await person.board();
  const [first] = scriptedMoves('dilkel', shown.turn as 'red');
  if (first === undefined) throw new Error('the script has moves');
  await person.move(first, 'click');
  await person.boardAfter(shown.seq);
  await person.goTo('/');
  await person.page.waitForSelector('[data-testid="table-row"][data-your-turn="true"]');
  chromium.expectNoErrors();
});

test('a running match is live in the lobby, and opens from there', async () => {
  const spectator = await chromium.openBrowser('spectator');
  await spectator.page.waitForSelector('main.lobby');
  const { path, inTurn } = await seatPlayers(chromium, { variant: 'dilkel' });
  const live = spectator.page.locator(`[data-testid="live"][data-table="${path.slice('/t/'.length)}"]`);
  await live.getByTestId('still-board').waitFor();
  const phone = await chromium.openBrowser('phone', undefined, PHONE);
  await phone.byTestId('still-board').first().waitFor();
  const shifts = await observeLayoutShifts(spectator);
  let shown = await expectSameBoards(inTurn);
  for (const [ply, move] of scriptedMoves('dilkel', shown.turn as 'red').slice(0, 5).entries()) {
    await inTurn[ply % inTurn.length]?.move(move, 'click');
    shown = await expectSameBoards(inTurn, shown.seq);
  }
  await spectator.page.waitForSelector(`[data-testid="live"][data-seq="${shown.seq}"]`);
  expect(await live.locator('.live-seat[data-turn="true"]').getAttribute('data-color')).toBe(shown.turn);
  expect(await shifts(), 'nothing shifts').toBe(0);
  const spectators = inTurn[0]?.byTestId('spectators');
  expect(await spectators?.getAttribute('data-count'), 'a preview is no spectator').toBe('0');
  await spectator.screenshot('lobby-live-desk');
  await phone.screenshot('lobby-live-phone');

  // The last table is below the screen. A page that is too wide would also widen the phone's
  // window.
  for (const _ of ['second', 'third']) await seatPlayers(chromium, { variant: 'classic' });
  await phone.byTestId('live').nth(2).waitFor({ state: 'attached' });
  const width = await phone.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, 'the page is wider than the screen').toBe(PHONE.viewport.width);
  await live.locator('a').click();
  await spectator.page.waitForSelector(`[data-testid="board"][data-seq="${shown.seq}"]`);
  await inTurn[0]?.page.waitForSelector('[data-testid="spectators"][data-count="1"]');
  chromium.expectNoErrors();
});

test('a list does not shift when a seat is taken', async () => {
  const spectator = await chromium.openBrowser('spectator');
  const upper = await chromium.openBrowser('upper');
  const lower = await chromium.openBrowser('lower');
  const lowerPath = await lower.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  const upperPath = await upper.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  const row = (path: string) => spectator.page.locator(`.rows > [data-table="${path.slice('/t/'.length)}"]`);
  await row(upperPath).waitFor();
  await row(lowerPath).waitFor();
  const before = await row(lowerPath).boundingBox();
  const guest = await chromium.openBrowser('guest');
  await guest.sitFromLobby(upperPath, 'black');
  await spectator.page.waitForSelector(`[data-testid="gone-row"][data-table="${upperPath.slice('/t/'.length)}"]`);
  expect((await row(lowerPath).boundingBox())?.y).toBe(before?.y);
  chromium.expectNoErrors();
});
