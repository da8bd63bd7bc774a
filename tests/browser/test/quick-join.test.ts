import { expect, test } from 'vitest';
import { expectSameBoards, Chromium } from '../src/chromium.ts';

const chromium = new Chromium();

test('two who only want to play end at one table with one press each, and the next match is one press away', async () => {
  const [first, second] = [await chromium.enter('first'), await chromium.enter('second')];
  await first.get('quick-classic').click();
  await first.get('board').waitFor();
  await second.get('quick-classic').click();
  await second.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  expect(new URL(second.page.url()).pathname).toBe(new URL(first.page.url()).pathname);
  const { turn } = await expectSameBoards([first, second]);
  expect(turn).toBe('white');
  const [white, black] = (await first.mayMove()) ? [first, second] : [second, first];
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await black.page.waitForSelector('[data-square="e4"][data-piece="wP"]');

  await black.get('resign').click();
  await black.get('resign-confirm').click();
  await white.get('rematch').click();
  await black.page.waitForSelector('[data-testid="rematch-state"][data-agreed="1"]');
  const before = new URL(black.page.url()).pathname;
  await black.get('next').click();
  await black.page.waitForURL((url) => url.pathname !== before && url.pathname.startsWith('/t/'));
  // The player who asked for a rematch sees that there will be none, and goes on in the same way, to the same table.
  await white.get('rematch-state').getByText('Black does not want a rematch').waitFor();
  await white.screenshot('rematch-declined');
  await white.get('next').click();
  await white.page.waitForURL(black.page.url());
  await expectSameBoards([white, black], 2);
  chromium.expectNoErrors();
});
