import { afterEach, expect, test } from 'vitest';
import { NetworkProxy } from '../src/proxy.ts';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import type { Person } from '../src/person.ts';

const chromium = new Browsers();
const proxies: NetworkProxy[] = [];
afterEach(() => proxies.splice(0).forEach((proxy) => proxy.close()));

/** Sets a mark on the page that a reload would remove. */
async function mark(person: Person): Promise<void> {
  await person.page.evaluate(() => document.documentElement.setAttribute('data-marked', ''));
}

async function expectMarked(person: Person): Promise<void> {
  expect(await person.page.locator('html[data-marked]').count(), `${person.name} was reloaded`).toBe(1);
}

function online(person: Person, state: string): Promise<unknown> {
  return person.page.waitForSelector(`[data-testid="connection"][data-state="${state}"]`);
}

/** Makes a move by the player to move, and waits for the given pages. */
async function play(mover: Person, from: string, to: string, seenBy: readonly Person[]): Promise<void> {
  const { seq } = await expectSameBoards(seenBy);
  await mover.move({ from, to, promotion: undefined }, 'click');
  await expectSameBoards(seenBy, seq);
}

test('a disconnected player reconnects automatically and plays on', async () => {
  const proxy = await NetworkProxy.to(chromium.server.url);
  proxies.push(proxy);
  const [white, black] = [await chromium.openBrowser('white'), await chromium.openBrowser('black', proxy.url)];
  const path = await white.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  await black.sitFromLobby(path, 'black');
  await play(white, 'e2', 'e4', [white, black]);
  await mark(black);

  proxy.cut();
  await online(black, 'reconnecting');
  await black.screenshot('line-cut');
  await white.page.waitForSelector('[data-testid="seat-black"] [data-here="false"]');
  // While offline, White cannot move; but a draw offer is an event that Black misses.
  const { seq } = await white.board();
  await white.byTestId('draw-ask').click();
  await white.boardAfter(seq);

  proxy.restore();
  await online(black, 'online');
  await black.boardAfter(seq);
  await black.byTestId('draw-decline').click();
  await white.page.waitForSelector('[data-testid="draw-ask"]:enabled');
  await play(black, 'e7', 'e5', [white, black]);
  await expectMarked(black);
  chromium.expectNoErrors();
});

test('a move made offline arrives after reconnecting', async () => {
  const proxy = await NetworkProxy.to(chromium.server.url);
  proxies.push(proxy);
  const [white, black] = [await chromium.openBrowser('white', proxy.url), await chromium.openBrowser('black')];
  const path = await white.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  await black.sitFromLobby(path, 'black');
  await white.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  proxy.cut();
  await online(white, 'reconnecting');
  const { seq } = await black.board();
  await white.move({ from: 'd2', to: 'd4', promotion: undefined }, 'click');
  proxy.restore();
  const { pieces } = await expectSameBoards([white, black], seq);
  expect(pieces['d4']).toBe('wP');
  chromium.expectNoErrors();
});

test('all pages reconnect to a server that was killed and restarted', async () => {
  const [white, black, watcher] = [await chromium.openBrowser('white'), await chromium.openBrowser('black'), await chromium.openBrowser('watcher')];
  const path = await white.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  await black.sitFromLobby(path, 'black');
  await watcher.goTo(path);
  const all = [white, black, watcher];
  await watcher.byTestId('board').waitFor();
  await play(white, 'g1', 'f3', all);
  await Promise.all(all.map(mark));
  await chromium.server.kill();
  await Promise.all(all.map((person) => online(person, 'reconnecting')));
  await chromium.server.start();
  await Promise.all(all.map((person) => online(person, 'online')));
  await play(black, 'g8', 'f6', all);
  await play(white, 'b1', 'c3', all);
  await Promise.all(all.map(expectMarked));
  chromium.expectNoErrors();
});
