import { expect, test } from 'vitest';
import { Chromium } from '../src/chromium.ts';

const chromium = new Chromium();

test('a table is made as its host wishes, and says how it is', async () => {
  const host = await chromium.enter('host');
  await host.get('new-table').click();
  await host.get('more-settings').click();
  await host.get('setup').fill('no position at all');
  await host.get('create').click();
  await host.get('wrong-setup').filter({ hasText: /\S/ }).waitFor();
  await host.screenshot('new-table-wrong');
  await host.page.keyboard.press('Escape');

  const settings = { seating: 'drawn', chat: 'phrases', limit: '15' };
  const path = await host.makeTable({ variant: 'classic', seat: 'white', privacy: 'public', settings });
  await host.get('settings').click();
  const said = await host.page.locator('.facts dl').innerText();
  for (const words of ['Random', 'Quick phrases only', '15 min', 'Casual']) expect(said).toContain(words);
  await host.get('phrase-hello').waitFor();
  expect(await host.get('chat-input').count(), 'only phrases may be said').toBe(0);

  const guest = await chromium.enter('guest');
  const row = guest.page.locator(`[data-testid="table-row"][data-table="${path.slice('/t/'.length)}"]`);
  await row.waitFor();
  expect(await row.innerText()).toContain('15 min a move · Random seats');
  chromium.expectNoErrors();
});

test('a host puts somebody out before the start, who may not come back', async () => {
  const host = await chromium.enter('host');
  const path = await host.makeTable({ variant: 'dilkel', seat: 'red', privacy: 'public' });
  const pest = await chromium.enter('pest');
  await pest.sitFromLobby(path, 'blue');
  await host.get('kick-blue').click();
  await host.screenshot('kick');
  await host.get('kick-confirm').click();
  await pest.get('sit-blue').click();
  await pest.get('notices').filter({ hasText: /\S/ }).waitFor();
  expect(await host.page.locator('[data-testid^="seat-"][data-held="true"]').count()).toBe(1);
  expect(await host.page.locator('[data-testid="seat-red"] [data-testid="host"]').count()).toBe(1);
  chromium.expectNoErrors();
});
