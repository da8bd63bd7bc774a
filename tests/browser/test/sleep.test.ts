import { afterEach, expect, test } from 'vitest';
import { NetworkProxy } from '../src/proxy.ts';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import { seatPlayers } from '../src/players.ts';
import { scriptedMoves, type Color } from '../src/script.ts';

const chromium = new Browsers();
const proxies: NetworkProxy[] = [];
afterEach(() => proxies.splice(0).forEach((proxy) => proxy.close()));

test('a frozen tab shows the current position after it wakes, without a reload', async () => {
  const { path, inTurn } = await seatPlayers(chromium, { variant: 'dilkel' });
  const [first, second, third, fourth] = inTurn;
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) throw new Error('four play');
  // One frozen page keeps its connection, the other one loses it.
  const proxy = await NetworkProxy.to(chromium.server.url);
  proxies.push(proxy);
  const watcher = await chromium.openBrowser('watcher', proxy.url);
  await watcher.goTo(path);
  await watcher.byTestId('board').waitFor();
  const asleep = [fourth, watcher];
  for (const person of asleep) await person.page.evaluate(() => document.documentElement.setAttribute('data-marked', ''));
  const before = await fourth.board();
  const moves = scriptedMoves('dilkel', before.turn as Color);

  const alarms = await Promise.all(asleep.map((person) => person.freeze()));
  proxy.cut();
  let { seq } = before;
  for (const [mover, move] of [[first, moves[0]], [second, moves[1]], [third, moves[2]]] as const) {
    if (move === undefined) throw new Error('the game is longer');
    await mover.move(move, 'click');
    ({ seq } = await expectSameBoards([first, second, third], seq));
  }

  proxy.restore();
  await Promise.all(alarms.map((wake) => wake()));
  const { pieces } = await expectSameBoards([first, ...asleep], seq - 1);
  expect(pieces).not.toEqual(before.pieces);
  for (const person of asleep) expect(await person.page.locator('html[data-marked]').count(), 'it was reloaded').toBe(1);
  const last = moves[3];
  if (last === undefined) throw new Error('the game is longer');
  await fourth.move(last, 'click');
  await expectSameBoards([first, second, third, ...asleep], seq);
  chromium.expectNoErrors();
});
