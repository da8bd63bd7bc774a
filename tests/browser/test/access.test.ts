import { expect, test } from 'vitest';
import { findings } from '../src/axe.ts';
import { seatPlayers } from '../src/players.ts';
import { Chromium } from '../src/chromium.ts';
import { PHONE, type Person } from '../src/person.ts';

const chromium = new Chromium();

/** Nothing is wrong with what a page shows now, be it light or dark. */
async function expectFine(person: Person, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await person.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await person.screenshot(`access-${what.replaceAll(' ', '-')}-${colorScheme}`);
    expect(await findings(person), `${what}, ${colorScheme}`).toEqual([]);
  }
}

test.each(['light', 'dark'] as const)('axe finds nothing wrong with the pages when it is %s', async (colorScheme) => {
  const options = { colorScheme, reducedMotion: 'reduce' } as const;
  const host = await chromium.enter('host', undefined, options);
  await host.page.waitForSelector('[data-testid="connection"][data-state="online"]');
  expect(await findings(host), 'the lobby without a table').toEqual([]);
  await host.get('new-table').click();
  expect(await findings(host), 'the dialog that makes a table').toEqual([]);
  await host.screenshot(`new-table-${colorScheme}`);
  await host.page.keyboard.press('Escape');
  const path = await host.makeTable({ variant: 'classic', seat: 'white', privacy: 'public' });
  expect(await findings(host), 'a table with an open seat').toEqual([]);
  const guest = await chromium.enter('guest', undefined, options);
  await guest.get('table-row').first().waitFor();
  expect(await findings(guest), 'the lobby').toEqual([]);
  await guest.screenshot(`lobby-${colorScheme}`);
  await guest.sitFromLobby(path, 'black');
  await host.page.waitForSelector('[data-testid="board"][data-turn="white"]');
  await host.square('e2').click();
  expect(await findings(host), 'a piece in hand').toEqual([]);
  await host.get('resign').click();
  await host.get('resign-confirm').click();
  await host.get('result').waitFor();
  expect(await findings(host), 'the result').toEqual([]);
  const other = await chromium.enter('other', undefined, options);
  await other.makeTable({ variant: 'dilkel', seat: 'green', privacy: 'private' });
  expect(await findings(other), 'a private table').toEqual([]);
  await other.screenshot(`private-table-${colorScheme}`);
});

test('axe finds nothing wrong with what comes up before and around a match', async () => {
  const host = await chromium.enter('host');
  await host.get('quick-dilkel').click();
  await host.get('board').waitFor();
  await expectFine(host, 'a table by quick join');
  const guest = await chromium.enter('guest', undefined, PHONE);
  await guest.get('quick-dilkel').click();
  await guest.get('board').waitFor();
  await host.get('kick-blue').waitFor();
  await expectFine(host, 'a seat that may be put out');
  await host.get('kick-blue').click();
  await host.get('kick-confirm').waitFor();
  await expectFine(host, 'putting somebody out');
  await host.page.keyboard.press('Escape');
  await guest.get('handover').click();
  await guest.get('handover-link').waitFor();
  await expectFine(guest, 'going on from another device');
  await guest.page.keyboard.press('Escape');
  await guest.say('am I early?');
  await host.waitForChat('am I early?');
  await expectFine(guest, 'the chat before the start');
  chromium.expectNoErrors();
});

test('axe finds nothing wrong with requests, the chat, a refusal and standstills', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  await black.openChat();
  await white.say('hello all');
  await black.waitForChat('hello all');
  await black.get('chat-people').click();
  await expectFine(black, 'the chat');
  await white.get('draw-ask').click();
  await white.get('abort-ask').click();
  await expectFine(white, 'asking before an abort');
  await white.get('abort-confirm').click();
  await black.get('request-abort').waitFor();
  await expectFine(black, 'open requests');
  await expectFine(white, 'requests of one’s own');
  await black.get('abort-decline').click();
  for (let said = 0; said < 6; said += 1) await black.get('phrase-oops').click();
  await black.get('notices').filter({ hasText: /\S/ }).waitFor();
  await expectFine(black, 'a refusal');
  await white.get('pause-ask').click();
  await black.get('pause-accept').click();
  await white.page.waitForSelector('[data-testid="suspension"][data-kind="paused"]');
  await expectFine(white, 'a pause');
  await white.get('resume').click();
  await white.page.waitForSelector('[data-testid="suspension"][data-kind="resuming"]');
  await expectFine(white, 'the countdown');
  chromium.expectNoErrors();
});

test('axe finds nothing wrong while a match waits for somebody', async () => {
  const host = await chromium.enter('host');
  await host.get('new-table').click();
  for (const choice of ['variant-classic', 'seat-white', 'privacy-private', 'time-fischer']) {
    await host.page.locator('label', { has: host.get(`choose-${choice}`) }).click();
  }
  // The shortest time that a player may be away is half a minute.
  await host.page.fill('[name="base"]', '2');
  await host.page.fill('[name="extra"]', '0');
  await host.get('create').click();
  await host.get('make-link-black').click();
  const invite = new URL(await host.get('invite-link').inputValue());
  const guest = await chromium.enter('guest');
  await guest.goTo(invite.pathname + invite.hash);
  await guest.get('sit-any').click();
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
  await host.get('suspension').waitFor({ state: 'detached' });
  chromium.expectNoErrors();
});
