import { expect, test } from 'vitest';
import { Chromium } from '../src/chromium.ts';
import { seatPlayers } from '../src/players.ts';

const chromium = new Chromium();

test('an eliminated player chats with the spectators, and the players can read it only after the end', async () => {
  const { path, inTurn } = await seatPlayers(chromium, { variant: 'dilkel' });
  const [red, blue, yellow, green] = inTurn;
  if (red === undefined || blue === undefined || yellow === undefined || green === undefined) throw new Error('four play');
  const eve = await chromium.enter('eve');
  await eve.goTo(path);
  await eve.get('board').waitFor();

  await blue.say('a good game to all');
  await red.page.waitForSelector('[data-testid="unread"][data-count="1"]');
  await red.openChat();
  await red.waitForChat('a good game to all');
  await eve.openChat();
  await eve.waitForChat('a good game to all');

  await green.get('resign').click();
  await green.get('resign-confirm').click();
  await green.page.waitForSelector('[data-testid="seat-red"]');
  await green.get('resign').waitFor({ state: 'detached' });
  await green.say('red stands badly');
  await eve.waitForChat('red stands badly');
  await eve.say('and blue well');
  await green.waitForChat('and blue well');
  await eve.screenshot('chat-bystanders');
  // What the players say comes after: once it is there, the words before it have not been kept back by chance.
  await yellow.openChat();
  await yellow.get('phrase-one_moment').click();
  await red.waitForChat('One moment, please.');
  for (const player of [red, blue, yellow]) {
    const log = await player.get('chat-log').innerText().catch(() => '');
    expect(log).not.toContain('stands badly');
    expect(log).not.toContain('and blue well');
  }

  for (const player of [blue, yellow]) {
    await player.get('resign').click();
    await player.get('resign-confirm').click();
    await player.get('resign').waitFor({ state: 'detached' });
  }
  await red.get('result').waitFor();
  await red.openChat();
  await red.waitForChat('red stands badly');
  await red.waitForChat('and blue well');
  await red.screenshot('chat-after');

  await red.get('chat-people').click();
  await red.page.locator('[data-testid^="mute-"]').first().click();
  expect(await red.page.locator('[data-testid^="mute-"][aria-pressed="true"]').count()).toBe(1);
  chromium.expectNoErrors();
});
