import { expect, test } from 'vitest';
import { findings } from '../src/axe.ts';
import { Chromium } from '../src/chromium.ts';
import { PHONE } from '../src/person.ts';

const chromium = new Chromium();

for (const [variant, bots] of [
  ['dilkel', 3],
  ['classic', 1],
] as const) {
  test(`one press starts ${variant} against bots, who are marked and move`, async () => {
    const guest = await chromium.enter(`against-${variant}`);
    await guest.screenshot(`lobby-bots-${variant}`);
    await guest.get(`bots-${variant}`).click();
    await guest.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
    await expect.poll(() => guest.page.locator('.plate .bot-icon').count()).toBe(bots);
    expect(await guest.page.locator('.plate[data-mine="true"]').count()).toBe(1);
    // Whoever begins: the bots move until it is the guest's turn.
    await expect.poll(() => guest.mayMove(), { timeout: 30_000 }).toBe(true);
    const { seq } = await guest.board();
    await guest.page.getByTestId('board').focus();
    await guest.screenshot(`against-bots-${variant}`);
    await guest.get('resign').click();
    await guest.get('resign-confirm').click();
    await guest.boardAfter(seq);
    chromium.expectNoErrors();
  });
}

test('a match of bots alone can be made, watched, and looked at on a phone', async () => {
  const host = await chromium.enter('bots-host');
  const path = await host.makeTable({ variant: 'dilkel', seat: 'none', privacy: 'public', settings: { bots: '1' } });
  const watcher = await chromium.enter('bots-watcher');
  await watcher.goTo(path);
  const { seq } = await watcher.board();
  await watcher.boardAfter(seq + 3);
  expect(await watcher.page.locator('.plate .bot-icon').count()).toBe(4);
  expect(await watcher.page.locator('.plate[data-mine="true"]').count()).toBe(0);
  await watcher.screenshot('bots-watched');
  const phone = await chromium.enter('bots-phone', undefined, PHONE);
  await phone.screenshot('lobby-bots-phone');
  await phone.goTo(path);
  await phone.get('board').waitFor();
  await phone.screenshot('bots-watched-phone');
  chromium.expectNoErrors();
});

test('on a phone the row of bots has no button of its own line, and one chooses one’s color', async () => {
  const phone = await chromium.enter('bots-row', undefined, PHONE);
  const places = await phone.page.locator('.bot-game > :is(button, label)').evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
  expect(new Set(places).size, 'two rows of two').toBe(2);
  const [content, window] = await phone.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(window ?? 0);
  expect(await findings(phone)).toEqual([]);
  await phone.screenshot('lobby-bots-row');
  await phone.get('bots-seat').selectOption('black');
  expect(await phone.get('bots-dilkel').isDisabled()).toBe(true);
  await phone.get('bots-classic').tap();
  await phone.page.waitForSelector('[data-testid="seat-black"][data-mine="true"]');
  await expect.poll(() => phone.mayMove(), { timeout: 30_000 }).toBe(true);
  chromium.expectNoErrors();
});

test('the host puts a bot into a seat, takes it out again, and fills the table', async () => {
  const host = await chromium.enter('bots-adder');
  await host.makeTable({ variant: 'dilkel', seat: 'red', privacy: 'private' });
  const add = async (color: string): Promise<void> => {
    await host.get(`add-bot-${color}`).click();
    await host.get('bot-level-2').click();
    await host.page.waitForSelector(`[data-testid="seat-${color}"][data-held="true"]`);
  };
  await add('blue');
  await host.screenshot('bots-added');
  await host.get('kick-blue').click();
  await host.get('kick-confirm').click();
  await host.page.waitForSelector('[data-testid="seat-blue"][data-held="false"]');
  for (const color of ['green', 'yellow', 'blue']) await add(color);
  await host.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  chromium.expectNoErrors();
});
