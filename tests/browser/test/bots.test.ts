import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { PHONE } from '../src/person.ts';

const chromium = new Browsers();

for (const [variant, bots] of [
  ['dilkel', 3],
  ['classic', 1],
] as const) {
  test(`one click starts ${variant} against bots, who are marked and move`, async () => {
    const guest = await chromium.openBrowser(`against-${variant}`);
    await guest.chooseGame(variant);
    await guest.screenshot(`lobby-bots-${variant}`);
    await guest.byTestId(`bots-${variant}`).click();
    await guest.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
    await expect.poll(() => guest.page.locator('.plate .bot-icon').count()).toBe(bots);
    expect(await guest.page.locator('.plate[data-mine="true"]').count()).toBe(1);
    // The bots move until it is the guest's turn.
    await expect.poll(() => guest.mayMove()).toBe(true);
    const { seq } = await guest.board();
    await guest.page.getByTestId('board').focus();
    await guest.screenshot(`against-bots-${variant}`);
    await guest.byTestId('resign').click();
    await guest.byTestId('resign-confirm').click();
    await guest.boardAfter(seq);
    chromium.expectNoErrors();
  });
}

test('a match of bots alone can be created, watched, and viewed on a phone', async () => {
  const host = await chromium.openBrowser('bots-host');
  const path = await host.createTable({ variant: 'dilkel', seat: 'none', privacy: 'public', settings: { bots: '1' } });
  const watcher = await chromium.openBrowser('bots-watcher');
  await watcher.goTo(path);
  const { seq } = await watcher.board();
  await watcher.boardAfter(seq + 3);
  expect(await watcher.page.locator('.plate .bot-icon').count()).toBe(4);
  expect(await watcher.page.locator('.plate[data-mine="true"]').count()).toBe(0);
  await watcher.screenshot('bots-watched');
  const phone = await chromium.openBrowser('bots-phone', undefined, PHONE);
  await phone.screenshot('lobby-bots-phone');
  await phone.goTo(path);
  await phone.byTestId('board').waitFor();
  await phone.screenshot('bots-watched-phone');
  chromium.expectNoErrors();
});

test('on a phone the strength and the color of a match against bots can be chosen', async () => {
  const phone = await chromium.openBrowser('bots-row', undefined, PHONE);
  await phone.chooseGame('classic');
  await phone.byTestId('bots-seat').selectOption('black');
  await phone.byTestId('bots-classic').tap();
  await phone.page.waitForSelector('[data-testid="seat-black"][data-mine="true"]');
  await expect.poll(() => phone.mayMove()).toBe(true);
  chromium.expectNoErrors();
});

test('the host adds a bot to a seat, kicks it, and fills the table', async () => {
  const host = await chromium.openBrowser('bots-adder');
  await host.createTable({ variant: 'dilkel', seat: 'red', privacy: 'private' });
  const add = async (color: string): Promise<void> => {
    await host.byTestId(`add-bot-${color}`).click();
    await host.byTestId('bot-level-2').click();
    await host.page.waitForSelector(`[data-testid="seat-${color}"][data-held="true"]`);
  };
  await add('blue');
  await host.screenshot('bots-added');
  await host.byTestId('kick-blue').click();
  await host.byTestId('kick-confirm').click();
  await host.page.waitForSelector('[data-testid="seat-blue"][data-held="false"]');
  for (const color of ['green', 'yellow', 'blue']) await add(color);
  await host.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  chromium.expectNoErrors();
});
