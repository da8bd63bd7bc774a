import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';

const chromium = new Browsers();

test('a stranger cannot see a private table, and an invited friend takes a seat', async () => {
  const host = await chromium.openBrowser('host');
  const path = await host.createTable({ variant: 'dilkel', seat: 'red', privacy: 'private' });

  const stranger = await chromium.openBrowser('stranger');
  expect(await stranger.byTestId('table-row').count()).toBe(0);
  await stranger.goTo(path);
  await stranger.byTestId('missing').waitFor();
  expect(await stranger.byTestId('missing').getAttribute('data-code')).toBe('not_found');
  const hidden = await stranger.byTestId('missing').innerText();
  await stranger.screenshot('private-stranger');
  await stranger.goTo('/t/01890000-0000-7000-8000-000000000000');
  await stranger.byTestId('missing').waitFor();
  expect(await stranger.byTestId('missing').innerText(), 'a missing table looks the same').toBe(hidden);

  const invite = await host.createLink('blue');
  expect(invite.hash).toMatch(/^#invite=.{16,}/);
  await host.screenshot('private-host');
  const friend = await chromium.openBrowser('friend');
  await friend.goTo(invite.pathname + invite.hash);
  await friend.byTestId('board').waitFor();
  expect(new URL(friend.page.url()).hash, 'the secret is not in the address').toBe('');
  await host.page.waitForSelector('[data-testid="seat-blue"][data-held="true"]');
  await friend.page.waitForSelector('[data-testid="leave"]');

  // The link was for one seat and one person.
  await stranger.openLink(invite);
  await stranger.page.waitForSelector('[data-testid="missing"][data-code="bad_invite"]');
  expect(await stranger.page.locator('h1').innerText(), 'the table is there, but the link is used').toBe('This link no longer works');
  await stranger.screenshot('invite-used');
  expect(await host.page.locator('[data-testid^="seat-"][data-held="true"]').count()).toBe(2);
  chromium.expectNoErrors();
});

test('a watch link shows the table and offers no seat', async () => {
  const host = await chromium.openBrowser('host');
  await host.createTable({ variant: 'classic', seat: 'white', privacy: 'private' });
  const url = await host.createLink('watch');
  expect(url.hash).toMatch(/^#watch=.{16,}/);
  const watcher = await chromium.openBrowser('watcher');
  await watcher.goTo(url.pathname + url.hash);
  await watcher.byTestId('board').waitFor();
  expect(await watcher.page.locator('[data-testid^="sit-"]').count()).toBe(0);
  await host.page.waitForSelector('[data-testid="spectators"][data-count="1"]');
  // The page has stored the secret and can be reloaded without it.
  await watcher.page.reload();
  await watcher.byTestId('board').waitFor();
  chromium.expectNoErrors();
});
