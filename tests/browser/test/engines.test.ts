import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';

/** The path of Stockfish: Debian's, unless `STOCKFISH` is set. */
const STOCKFISH = process.env['STOCKFISH'] ?? '/usr/games/stockfish';

const chromium = new Browsers(`[engines.stockfish]
command = "${STOCKFISH}"
variants = ["classic"]
elo = [1320, 3190]
`);

test('another engine is chosen with one click, and plays at the chosen strength', async () => {
  const guest = await chromium.openBrowser('against-engine');
  await guest.page.waitForSelector('[data-testid="bots-level"] option[value="@stockfish"]', { state: 'attached' });
  await guest.byTestId('bots-level').selectOption('@stockfish 1500');
  expect(await guest.byTestId('bots-dilkel').isDisabled()).toBe(true);
  await guest.chooseGame('classic');
  await guest.byTestId('bots-seat').selectOption('black');
  await guest.screenshot('lobby-engine');
  await guest.byTestId('bots-classic').click();
  await expect.poll(() => guest.mayMove()).toBe(true);
  expect(await guest.byTestId('seat-white').textContent()).toContain('stockfish');
  expect(await guest.byTestId('seat-white').textContent()).toContain('1500');
  await guest.screenshot('against-engine');
  chromium.expectNoErrors();
});

test('the host of a table chooses among the engines for its variant', async () => {
  const host = await chromium.openBrowser('engine-host');
  await host.createTable({ variant: 'classic', seat: 'white', privacy: 'private' });
  await host.byTestId('add-bot-black').click();
  await host.byTestId('bot-level-@stockfish 1320').waitFor();
  await host.screenshot('engine-offered');
  await host.byTestId('bot-level-@stockfish 1320').click();
  await host.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  expect(await host.byTestId('seat-black').textContent()).toContain('stockfish');
  const cross = await chromium.openBrowser('cross-host');
  await cross.createTable({ variant: 'dilkel', seat: 'red', privacy: 'private' });
  await cross.byTestId('add-bot-blue').click();
  await cross.byTestId('bot-level-8').waitFor();
  expect(await cross.page.locator('[data-testid^="bot-level-@"]').count()).toBe(0);
  chromium.expectNoErrors();
});
