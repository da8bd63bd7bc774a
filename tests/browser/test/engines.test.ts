import { expect, test } from 'vitest';
import { House } from '../src/house.ts';

/** Where Debian puts it, unless something else is said. */
const STOCKFISH = process.env['STOCKFISH'] ?? '/usr/games/stockfish';

const house = new House(`[engines.stockfish]
command = "${STOCKFISH}"
variants = ["classic"]
elo = [1320, 3190]
`);

test('another engine is chosen with one press, and plays at the strength that was chosen', async () => {
  const guest = await house.enter('against-engine');
  await guest.page.waitForSelector('[data-testid="bots-level"] option[value="@stockfish"]', { state: 'attached' });
  await guest.get('bots-level').selectOption('@stockfish 1500');
  await guest.get('bots-seat').selectOption('black');
  expect(await guest.get('bots-dilkel').isDisabled()).toBe(true);
  await guest.picture('lobby-engine');
  await guest.get('bots-classic').click();
  await expect.poll(() => guest.mayMove(), { timeout: 30_000 }).toBe(true);
  expect(await guest.get('seat-white').textContent()).toContain('stockfish');
  expect(await guest.get('seat-white').textContent()).toContain('1500');
  await guest.picture('against-engine');
  house.expectNoErrors();
});

test('the host of a table chooses among the engines that play its game', async () => {
  const host = await house.enter('engine-host');
  await host.makeTable({ variant: 'classic', seat: 'white', privacy: 'private' });
  await host.get('add-bot-black').click();
  await host.get('bot-level-@stockfish 1320').waitFor();
  await host.picture('engine-offered');
  await host.get('bot-level-@stockfish 1320').click();
  await host.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  expect(await host.get('seat-black').textContent()).toContain('stockfish');
  const cross = await house.enter('cross-host');
  await cross.makeTable({ variant: 'dilkel', seat: 'red', privacy: 'private' });
  await cross.get('add-bot-blue').click();
  await cross.get('bot-level-8').waitFor();
  expect(await cross.page.locator('[data-testid^="bot-level-@"]').count()).toBe(0);
  house.expectNoErrors();
});
