import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { Browsers, expectSameBoards } from '../src/browsers.ts';
import type { BrowserOptions, Person } from '../src/person.ts';

const chromium = new Browsers();

const CLIPBOARD: BrowserOptions = { permissions: ['clipboard-read', 'clipboard-write'] };
const SIZES = [
  { width: 360, height: 740 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
] as const;

/**
 * Plays a private match of two moves, after which Black resigns. Returns both players, with White
 * on the page of the replay.
 */
async function playPrivately(): Promise<{ host: Person; friend: Person }> {
  const host = await chromium.openBrowser('host', undefined, CLIPBOARD);
  await host.createTable({ variant: 'classic', seat: 'white', privacy: 'private' });
  const invite = await host.createLink('black');
  const friend = await chromium.openBrowser('friend');
  await friend.goTo(invite.pathname + invite.hash);
  const shown = await expectSameBoards([host, friend]);
  await host.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  const { seq } = await expectSameBoards([host, friend], shown.seq);
  await friend.move({ from: 'c7', to: 'c5', promotion: undefined }, 'click');
  await expectSameBoards([host, friend], seq);
  await friend.byTestId('resign').click();
  await friend.byTestId('resign-confirm').click();
  await host.byTestId('to-replay').click();
  await host.byTestId('replay').waitFor();
  return { host, friend };
}

/**
 * Stores pictures of the page at all sizes. In each size, checks that axe finds no problem and that
 * nothing is wider than the window.
 */
async function look(person: Person, name: string): Promise<void> {
  for (const size of SIZES) {
    await person.page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await person.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await person.page.locator('.exports').scrollIntoViewIfNeeded();
      await person.screenshot(`share-${name}-${size.width}-${colorScheme}`);
      expect(await axeFindings(person), `${name}, ${size.width}, ${colorScheme}`).toEqual([]);
    }
    const content = await person.page.evaluate(() => document.documentElement.scrollWidth);
    expect(content, `${name} is no wider than ${size.width}`).toBeLessThanOrEqual(size.width);
  }
}

test('a player shares a private match by a link, and stops sharing it', async () => {
  const { host } = await playPrivately();
  const path = new URL(host.page.url()).pathname;
  expect(await host.byTestId('replay-link').count(), 'no link that works for nobody').toBe(0);
  await look(host, 'before');

  const stranger = await chromium.openBrowser('stranger');
  await stranger.goTo(path);
  await stranger.byTestId('missing').waitFor();
  const hidden = await stranger.byTestId('missing').innerText();
  expect(hidden).toContain('or it is private');
  await stranger.goTo('/m/01890000-0000-7000-8000-000000000000');
  await stranger.byTestId('missing').waitFor();
  expect(await stranger.byTestId('missing').innerText(), 'a missing match looks the same').toBe(hidden);

  await host.byTestId('create-share').click();
  await host.byTestId('remove-share').waitFor();
  const link = new URL(await host.byTestId('share-link').inputValue());
  expect(link.hash).toMatch(/^#share=.{16,}/);
  expect(await host.page.evaluate(() => navigator.clipboard.readText()), 'it is copied by the same press').toBe(link.href);
  await look(host, 'shared');

  await stranger.goTo(link.pathname + link.hash);
  await stranger.byTestId('replay').waitFor();
  expect(new URL(stranger.page.url()).hash, 'the secret is not in the address').toBe('');
  expect(await stranger.square('c5').getAttribute('data-piece')).toBe('bP');
  expect(await stranger.byTestId('replay-link').inputValue(), 'it can be passed on').toContain(link.hash);
  const [download] = await Promise.all([stranger.page.waitForEvent('download'), stranger.byTestId('save-notation').click()]);
  expect(await readFile(await download.path(), 'utf8')).toContain('1. e4 c5');
  await look(stranger, 'visitor');
  await stranger.page.reload();
  await stranger.byTestId('replay').waitFor();
  await stranger.byTestId('analyse').click();
  await stranger.byTestId('tree').waitFor();
  await stranger.page.waitForFunction(() => document.querySelector('[data-testid="tree"]')?.textContent?.includes('c5'));

  // The player opens the page again, finds the link there, and removes it.
  await host.page.reload();
  expect(await host.byTestId('share-link').inputValue()).toBe(link.href);
  await host.byTestId('remove-share').click();
  await host.byTestId('create-share').waitFor();
  await stranger.goTo(link.pathname);
  await stranger.byTestId('missing').waitFor();
  expect(await stranger.byTestId('missing').innerText()).toContain('This link no longer works');
  chromium.expectNoErrors();
});
