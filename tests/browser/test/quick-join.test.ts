import { expect, test } from 'vitest';
import { expectSameBoards, Browsers } from '../src/browsers.ts';

const chromium = new Browsers();

test('two players meet at one table with one click each, and the next match is one click away', async () => {
  const [first, second] = [await chromium.openBrowser('first'), await chromium.openBrowser('second')];
  for (const person of [first, second]) await person.chooseGame('classic');
  await first.byTestId('quick-classic').click();
  await first.byTestId('board').waitFor();
  await second.byTestId('quick-classic').click();
  await second.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  expect(new URL(second.page.url()).pathname).toBe(new URL(first.page.url()).pathname);
  const { turn } = await expectSameBoards([first, second]);
  expect(turn).toBe('white');
  const [white, black] = (await first.mayMove()) ? [first, second] : [second, first];
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await black.page.waitForSelector('[data-square="e4"][data-piece="wP"]');

  await black.byTestId('resign').click();
  await black.byTestId('resign-confirm').click();
  await white.byTestId('rematch').click();
  await black.page.waitForSelector('[data-testid="rematch-state"][data-agreed="1"]');
  const before = new URL(black.page.url()).pathname;
  await black.byTestId('next').click();
  await black.page.waitForURL((url) => url.pathname !== before && url.pathname.startsWith('/t/'));
  // The player who requested a rematch sees the refusal and joins the same new table.
  await white.byTestId('rematch-state').getByText('Black does not want a rematch').waitFor();
  await white.screenshot('rematch-declined');
  await white.byTestId('next').click();
  await white.page.waitForURL(black.page.url());
  await expectSameBoards([white, black], 2);
  chromium.expectNoErrors();
});
