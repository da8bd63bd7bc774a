import { test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { seatPlayers } from '../src/players.ts';

const chromium = new Browsers();

test('the same players play a rematch after one click each, each one seat further', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  await white.byTestId('resign').click();
  await white.byTestId('resign-confirm').click();
  await black.byTestId('result').waitFor();
  await white.byTestId('rematch').click();
  await black.page.waitForSelector('[data-testid="rematch-state"][data-agreed="1"]');
  await black.screenshot('rematch-asked');
  await black.byTestId('rematch').click();
  // The former Black player is White now and begins.
  await black.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  await black.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await white.page.waitForSelector('[data-square="e4"][data-piece="wP"]');
  await white.square('e7').and(white.page.locator('[data-movable]')).waitFor();
  chromium.expectNoErrors();
});
