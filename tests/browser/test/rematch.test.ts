import { test } from 'vitest';
import { Chromium } from '../src/chromium.ts';
import { seatPlayers } from '../src/players.ts';

const chromium = new Chromium();

test('the same people play again after one press each, a seat further on', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  await white.get('resign').click();
  await white.get('resign-confirm').click();
  await black.get('result').waitFor();
  await white.get('rematch').click();
  await black.page.waitForSelector('[data-testid="rematch-state"][data-agreed="1"]');
  await black.screenshot('rematch-asked');
  await black.get('rematch').click();
  // Who was Black has the white pieces now, and begins.
  await black.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  await black.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await white.page.waitForSelector('[data-square="e4"][data-piece="wP"]');
  await white.square('e7').and(white.page.locator('[data-movable]')).waitFor();
  chromium.expectNoErrors();
});
