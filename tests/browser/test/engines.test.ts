import { expect, test } from 'vitest';
import { Chromium } from '../src/chromium.ts';

/** Path of Stockfish; Debian's unless `STOCKFISH` is set. */
const STOCKFISH = process.env['STOCKFISH'] ?? '/usr/games/stockfish';

const chromium = new Chromium(`[engines.stockfish]
command = "${STOCKFISH}"
variants = ["classic"]
elo = [1320, 3190]
`);

test('another engine is chosen with one press, and plays at the strength that was chosen', async () => {
  const guest = await chromium.enter('against-engine');
  await guest.page.waitForSelector('[data-testid="bots-level"] option[value="@stockfish"]', { state: 'attached' });
  await guest.get('bots-level').selectOption('@stockfish 1500');
  await guest.get('bots-seat').selectOption('black');
  expect(await guest.get('bots-dilkel').isDisabled()).toBe(true);
  await guest.screenshot('lobby-engine');
  await guest.get('bots-classic').click();
  await expect.poll(() => guest.mayMove(), { timeout: 30_000 }).toBe(true);
  expect(await guest.get('seat-white').textContent()).toContain('stockfish');
  expect(await guest.get('seat-white').textContent()).toContain('1500');
  await guest.screenshot('against-engine');
  chromium.expectNoErrors();
});

test('the host of a table chooses among the engines that play its game', async () => {
  const host = await chromium.enter('engine-host');
  await host.makeTable({ variant: 'classic', seat: 'white', privacy: 'private' });
  await host.get('add-bot-black').click();
  await host.get('bot-level-@stockfish 1320').waitFor();
  await host.screenshot('engine-offered');
  await host.get('bot-level-@stockfish 1320').click();
  await host.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  expect(await host.get('seat-black').textContent()).toContain('stockfish');
  const cross = await chromium.enter('cross-host');
  await cross.makeTable({ variant: 'dilkel', seat: 'red', privacy: 'private' });
  await cross.get('add-bot-blue').click();
  await cross.get('bot-level-8').waitFor();
  expect(await cross.page.locator('[data-testid^="bot-level-@"]').count()).toBe(0);
  chromium.expectNoErrors();
});
