import { expect, test } from 'vitest';
import { Chromium } from '../src/chromium.ts';
import type { Person } from '../src/person.ts';

const chromium = new Chromium();

async function link(host: Person, purpose: string, kind: 'invite' | 'watch'): Promise<URL> {
  await host.get(`make-link-${purpose}`).click();
  const input = host.page.locator(`[data-purpose="${purpose}"]`).getByTestId(`${kind}-link`);
  const url = new URL(await input.inputValue());
  expect(url.hash).toMatch(new RegExp(`^#${kind}=.{16,}`));
  return url;
}

test('a stranger is shut out of a private table and an invited friend sits down', async () => {
  const host = await chromium.enter('host');
  const path = await host.makeTable({ variant: 'dilkel', seat: 'red', privacy: 'private' });

  const stranger = await chromium.enter('stranger');
  expect(await stranger.get('table-row').count()).toBe(0);
  await stranger.goTo(path);
  await stranger.get('missing').waitFor();
  expect(await stranger.get('missing').getAttribute('data-code')).toBe('not_found');
  const hidden = await stranger.get('missing').innerText();
  await stranger.screenshot('private-stranger');
  await stranger.goTo('/t/01890000-0000-7000-8000-000000000000');
  await stranger.get('missing').waitFor();
  expect(await stranger.get('missing').innerText(), 'a table that is not there looks the same').toBe(hidden);

  const invite = await link(host, 'blue', 'invite');
  await host.screenshot('private-host');
  const friend = await chromium.enter('friend');
  await friend.goTo(invite.pathname + invite.hash);
  await friend.get('board').waitFor();
  expect(new URL(friend.page.url()).hash, 'the secret does not stay in the address').toBe('');
  await friend.get('sit-any').click();
  await host.page.waitForSelector('[data-testid="seat-blue"][data-held="true"]');
  await friend.page.waitForSelector('[data-testid="leave"]');

  // The link was for one seat and one person.
  await stranger.goTo(invite.pathname + invite.hash);
  const sit = stranger.get('sit-any');
  await stranger.page.waitForSelector('[data-testid="missing"], [data-testid="sit-any"]');
  if (await sit.isVisible()) {
    await sit.click();
    await stranger.get('notices').filter({ hasText: /\S/ }).waitFor();
  }
  expect(await host.page.locator('[data-testid^="seat-"][data-held="true"]').count()).toBe(2);
  chromium.expectNoErrors();
});

test('a watch link shows the table and offers no seat', async () => {
  const host = await chromium.enter('host');
  await host.makeTable({ variant: 'classic', seat: 'white', privacy: 'private' });
  const url = await link(host, 'watch', 'watch');
  const watcher = await chromium.enter('watcher');
  await watcher.goTo(url.pathname + url.hash);
  await watcher.get('board').waitFor();
  expect(await watcher.page.locator('[data-testid^="sit-"]').count()).toBe(0);
  await host.page.waitForSelector('[data-testid="spectators"][data-count="1"]');
  // The page remembers the link: it can be loaded again without it.
  await watcher.page.reload();
  await watcher.get('board').waitFor();
  chromium.expectNoErrors();
});
