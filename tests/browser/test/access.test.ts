import { expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { seatPlayers } from '../src/players.ts';
import { Browsers } from '../src/browsers.ts';
import { PHONE, type Person } from '../src/person.ts';

const chromium = new Browsers();

/** Expects that axe finds nothing in the light and the dark theme. */
async function expectFine(person: Person, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await person.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await person.screenshot(`access-${what.replaceAll(' ', '-')}-${colorScheme}`);
    expect(await axeFindings(person), `${what}, ${colorScheme}`).toEqual([]);
  }
}

test.each(['light', 'dark'] as const)('axe finds no errors on the pages when %s', async (colorScheme) => {
  const options = { colorScheme, reducedMotion: 'reduce' } as const;
  const host = await chromium.openBrowser('host', undefined, options);
  await host.page.waitForSelector('[data-testid="connection"][data-state="online"]');
  expect(await axeFindings(host), 'the lobby without a table').toEqual([]);
  await host.byTestId('new-table').click();
  expect(await axeFindings(host), 'the dialog for a new table').toEqual([]);
  await host.screenshot(`new-table-${colorScheme}`);
  await host.page.keyboard.press('Escape');
  const path = await host.createTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  expect(await axeFindings(host), 'a table with an open seat').toEqual([]);
  const guest = await chromium.openBrowser('guest', undefined, options);
  await guest.byTestId('table-row').first().waitFor();
  expect(await axeFindings(guest), 'the lobby').toEqual([]);
  await guest.screenshot(`lobby-${colorScheme}`);
  await guest.sitFromLobby(path, 'black');
  await host.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  await host.square('e2').click();
  expect(await axeFindings(host), 'a piece in hand').toEqual([]);
  await host.byTestId('resign').click();
  await host.byTestId('resign-confirm').click();
  await host.byTestId('result').waitFor();
  expect(await axeFindings(host), 'the result').toEqual([]);
  const other = await chromium.openBrowser('other', undefined, options);
  await other.createTable({ variant: 'dilkel', seat: 'green', privacy: 'private' });
  expect(await axeFindings(other), 'a private table').toEqual([]);
  await other.screenshot(`private-table-${colorScheme}`);
});

test('axe finds no errors before and around a match', async () => {
  const host = await chromium.openBrowser('host');
  await host.byTestId('quick-dilkel').click();
  await host.byTestId('board').waitFor();
  await expectFine(host, 'a table by quick join');
  const guest = await chromium.openBrowser('guest', undefined, PHONE);
  await guest.byTestId('quick-dilkel').click();
  await guest.byTestId('board').waitFor();
  await host.byTestId('kick-blue').waitFor();
  await expectFine(host, 'a seat that may be put out');
  await host.byTestId('kick-blue').click();
  await host.byTestId('kick-confirm').waitFor();
  await expectFine(host, 'putting somebody out');
  await host.page.keyboard.press('Escape');
  await guest.byTestId('handover').click();
  await guest.byTestId('handover-link').waitFor();
  await expectFine(guest, 'going on from another device');
  await guest.page.keyboard.press('Escape');
  await guest.sendMessage('am I early?');
  await host.waitForChat('am I early?');
  await expectFine(guest, 'the chat before the start');
  chromium.expectNoErrors();
});

test('axe finds no errors with requests, the chat, a refusal and suspensions', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  await black.openChat();
  await white.sendMessage('hello all');
  await black.waitForChat('hello all');
  await black.byTestId('chat-people').click();
  await expectFine(black, 'the chat');
  await white.byTestId('draw-ask').click();
  await white.byTestId('abort-ask').click();
  await expectFine(white, 'asking before an abort');
  await white.byTestId('abort-confirm').click();
  await black.byTestId('request-abort').waitFor();
  await expectFine(black, 'open requests');
  await expectFine(white, 'requests of one’s own');
  await black.byTestId('abort-decline').click();
  for (let said = 0; said < 6; said += 1) await black.byTestId('phrase-oops').click();
  await black.byTestId('notices').filter({ hasText: /\S/ }).waitFor();
  await expectFine(black, 'a refusal');
  await white.byTestId('pause-ask').click();
  await black.byTestId('pause-accept').click();
  await white.page.waitForSelector('[data-testid="suspension"][data-kind="paused"]');
  await expectFine(white, 'a pause');
  await white.byTestId('resume').click();
  await white.page.waitForSelector('[data-testid="suspension"][data-kind="resuming"]');
  await expectFine(white, 'the countdown');
  chromium.expectNoErrors();
});

test('axe finds no errors while a match waits for a player', async () => {
  const host = await chromium.openBrowser('host');
  await host.byTestId('new-table').click();
  for (const [group, value] of [['variant', 'classic'], ['seat', 'white'], ['privacy', 'private'], ['clock', 'custom'], ['time', 'fischer']] as const) {
    await host.choose(group, value);
  }
  // The shortest allowed reconnect bank is 30 seconds.
  await host.page.fill('[name="base"]', '2');
  await host.page.fill('[name="extra"]', '0');
  await host.byTestId('create').click();
  const invite = await host.createLink('black');
  const guest = await chromium.openBrowser('guest');
  await guest.openLink(invite);
  for (const [mover, from, to] of [[host, 'e2', 'e4'], [guest, 'e7', 'e5'], [host, 'g1', 'f3']] as const) {
    await mover.square(from).and(mover.page.locator('[data-movable]')).waitFor();
    await mover.move({ from, to, promotion: undefined }, 'click');
  }
  await guest.square('b8').and(guest.page.locator('[data-movable]')).waitFor();
  await guest.goTo('/');
  await host.page.waitForSelector('[data-testid="presence-black"][data-presence="reconnecting"]');
  await expectFine(host, 'a player who is away');
  await host.page.waitForSelector('[data-testid="suspension"][data-kind="waiting"]', { timeout: 60_000 });
  await expectFine(host, 'waiting');
  await guest.page.goBack();
  await host.byTestId('suspension').waitFor({ state: 'detached' });
  chromium.expectNoErrors();
});
