import { afterEach, expect, test } from 'vitest';
import { NetworkProxy } from '../src/proxy.ts';
import { expectSameBoards, Chromium } from '../src/chromium.ts';
import type { Person } from '../src/person.ts';

const chromium = new Chromium();
const proxies: NetworkProxy[] = [];
afterEach(() => proxies.splice(0).forEach((proxy) => proxy.remove()));

/** A mark on the page that a reload would wipe off. */
async function mark(person: Person): Promise<void> {
  await person.page.evaluate(() => document.documentElement.setAttribute('data-marked', ''));
}

async function expectMarked(person: Person): Promise<void> {
  expect(await person.page.locator('html[data-marked]').count(), `${person.name} was reloaded`).toBe(1);
}

function online(person: Person, state: string): Promise<unknown> {
  return person.page.waitForSelector(`[data-testid="connection"][data-state="${state}"]`);
}

/** A move by the player to move, seen by those who can see it. */
async function play(mover: Person, from: string, to: string, seenBy: readonly Person[]): Promise<void> {
  const { seq } = await expectSameBoards(seenBy);
  await mover.move({ from, to, promotion: undefined }, 'click');
  await expectSameBoards(seenBy, seq);
}

test('a player whose line is cut comes back by itself and plays on', async () => {
  const proxy = await NetworkProxy.to(chromium.server.url);
  proxies.push(proxy);
  const [white, black] = [await chromium.enter('white'), await chromium.enter('black', proxy.url)];
  const path = await white.makeTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  await black.sitFromLobby(path, 'black');
  await play(white, 'e2', 'e4', [white, black]);
  await mark(black);

  proxy.cut();
  await online(black, 'reconnecting');
  await black.screenshot('line-cut');
  await white.page.waitForSelector('[data-testid="seat-black"] [data-here="false"]');
  // While the line is down, White cannot move; but a draw offer is an event that Black misses.
  const { seq } = await white.board();
  await white.get('draw-ask').click();
  await white.boardAfter(seq);

  proxy.mend();
  await online(black, 'online');
  await black.boardAfter(seq);
  await black.get('draw-decline').click();
  await white.page.waitForSelector('[data-testid="draw-ask"]:enabled');
  await play(black, 'e7', 'e5', [white, black]);
  await expectMarked(black);
  chromium.expectNoErrors();
});

test('a move made while the line is down arrives once it is up', async () => {
  const proxy = await NetworkProxy.to(chromium.server.url);
  proxies.push(proxy);
  const [white, black] = [await chromium.enter('white', proxy.url), await chromium.enter('black')];
  const path = await white.makeTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  await black.sitFromLobby(path, 'black');
  await white.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  proxy.cut();
  await online(white, 'reconnecting');
  const { seq } = await black.board();
  await white.move({ from: 'd2', to: 'd4', promotion: undefined }, 'click');
  proxy.mend();
  const { pieces } = await expectSameBoards([white, black], seq);
  expect(pieces['d4']).toBe('wP');
  chromium.expectNoErrors();
});

test('a server that is killed and started again is found again by all', async () => {
  const [white, black, watcher] = [await chromium.enter('white'), await chromium.enter('black'), await chromium.enter('watcher')];
  const path = await white.makeTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  await black.sitFromLobby(path, 'black');
  await watcher.goTo(path);
  const all = [white, black, watcher];
  await watcher.get('board').waitFor();
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
