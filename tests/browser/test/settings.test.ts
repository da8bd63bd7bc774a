import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';

const chromium = new Browsers();

test('a table has the settings of its host, and shows them', async () => {
  const host = await chromium.openBrowser('host');
  await host.byTestId('new-table').click();
  await host.byTestId('more-settings').click();
  await host.byTestId('setup').fill('no position at all');
  await host.byTestId('create').click();
  await host.byTestId('wrong-setup').filter({ hasText: /\S/ }).waitFor();
  await host.screenshot('new-table-wrong');
  await host.page.keyboard.press('Escape');

  const settings = { seating: 'drawn', chat: 'phrases', limit: '15' };
  const path = await host.createTable({ variant: 'classic', seat: 'white', privacy: 'public', settings });
  await host.byTestId('settings').click();
  const said = await host.page.locator('.facts dl').innerText();
  for (const words of ['Random', 'Quick phrases only', '15 min', 'Casual']) expect(said).toContain(words);
  await host.byTestId('phrase-hello').waitFor();
  expect(await host.byTestId('chat-input').count(), 'only phrases are allowed').toBe(0);

  const guest = await chromium.openBrowser('guest');
  const row = guest.page.locator(`[data-testid="table-row"][data-table="${path.slice('/t/'.length)}"]`);
  await row.waitFor();
  expect(await row.innerText()).toContain('15 min a move · Random seats');
  chromium.expectNoErrors();
});

test('a host kicks a player before the start, who cannot return', async () => {
  const host = await chromium.openBrowser('host');
  const path = await host.createTable({ variant: 'dilkel', seat: 'red', privacy: 'public' });
  const pest = await chromium.openBrowser('pest');
  await pest.sitFromLobby(path, 'blue');
  await host.byTestId('kick-blue').click();
  await host.screenshot('kick');
  await host.byTestId('kick-confirm').click();
  // The kicked player is notified at once and is offered no seat, also after a reload.
  await pest.byTestId('kicked').filter({ hasText: 'removed you' }).waitFor();
  await pest.screenshot('kicked');
  expect(await pest.page.locator('[data-testid^="sit-"]').count()).toBe(0);
  await pest.page.reload();
  await pest.byTestId('kicked').waitFor();
  expect(await pest.page.locator('[data-testid^="sit-"]').count()).toBe(0);
  expect(await host.page.locator('[data-testid^="seat-"][data-held="true"]').count()).toBe(1);
  expect(await host.page.locator('[data-testid="seat-red"] [data-testid="host"]').count()).toBe(1);
  chromium.expectNoErrors();
});
