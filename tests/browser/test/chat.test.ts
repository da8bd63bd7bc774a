import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { seatPlayers } from '../src/players.ts';

const chromium = new Browsers();

test('an eliminated player chats with the spectators, and the players can read it only after the end', async () => {
  const { path, inTurn } = await seatPlayers(chromium, { variant: 'dilkel' });
  const [red, blue, yellow, green] = inTurn;
  if (red === undefined || blue === undefined || yellow === undefined || green === undefined) throw new Error('four play');
  const eve = await chromium.openBrowser('eve');
  await eve.goTo(path);
  await eve.byTestId('board').waitFor();

  await blue.sendMessage('a good game to all');
  await red.page.waitForSelector('[data-testid="unread"][data-count="1"]');
  await red.openChat();
  await red.waitForChat('a good game to all');
  await eve.openChat();
  await eve.waitForChat('a good game to all');

  await green.byTestId('resign').click();
  await green.byTestId('resign-confirm').click();
  await green.page.waitForSelector('[data-testid="seat-red"]');
  await green.byTestId('resign').waitFor({ state: 'detached' });
  await green.byTestId('keep-watching').click();
  await green.sendMessage('red stands badly');
  await eve.waitForChat('red stands badly');
  await eve.sendMessage('and blue well');
  await green.waitForChat('and blue well');
  await eve.screenshot('chat-bystanders');
  // The players' message is sent later. Once it has arrived, the missing earlier ones were withheld
  // on purpose.
  await yellow.openChat();
  await yellow.byTestId('phrase-one_moment').click();
  await red.waitForChat('One moment, please.');
  for (const player of [red, blue, yellow]) {
    const log = await player.byTestId('chat-log').innerText().catch(() => '');
    expect(log).not.toContain('stands badly');
    expect(log).not.toContain('and blue well');
  }

  for (const player of [blue, yellow]) {
    await player.byTestId('resign').click();
    await player.byTestId('resign-confirm').click();
    await player.byTestId('resign').waitFor({ state: 'detached' });
  }
  await red.byTestId('result').waitFor();
  await red.openChat();
  await red.waitForChat('red stands badly');
  await red.waitForChat('and blue well');
  await red.screenshot('chat-after');

  await red.byTestId('chat-people').click();
  await red.page.locator('[data-testid^="mute-"]').first().click();
  expect(await red.page.locator('[data-testid^="mute-"][aria-pressed="true"]').count()).toBe(1);
  chromium.expectNoErrors();
});
