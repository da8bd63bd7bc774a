import { expect, test } from 'vitest';
import { House } from '../src/house.ts';
import { gather } from '../src/company.ts';

const house = new House();

test('who is out talks with the spectators, and the players hear of it only after the end', async () => {
  const { path, inTurn } = await gather(house, { variant: 'dilkel' });
  const [red, blue, yellow, green] = inTurn;
  if (red === undefined || blue === undefined || yellow === undefined || green === undefined) throw new Error('four play');
  const eve = await house.enter('eve');
  await eve.goTo(path);
  await eve.get('board').waitFor();

  await blue.say('a good game to all');
  await red.page.waitForSelector('[data-testid="unread"][data-count="1"]');
  await red.openChat();
  await red.hears('a good game to all');
  await eve.openChat();
  await eve.hears('a good game to all');

  await green.get('resign').click();
  await green.get('resign-confirm').click();
  await green.page.waitForSelector('[data-testid="seat-red"]');
  await green.get('resign').waitFor({ state: 'detached' });
  await green.say('red stands badly');
  await eve.hears('red stands badly');
  await eve.say('and blue well');
  await green.hears('and blue well');
  await eve.picture('chat-bystanders');
  // What the players say comes after: once it is there, the words before it have not been kept back by chance.
  await yellow.openChat();
  await yellow.get('phrase-one_moment').click();
  await red.hears('One moment, please.');
  for (const player of [red, blue, yellow]) {
    const heard = await player.get('chat-log').innerText().catch(() => '');
    expect(heard).not.toContain('stands badly');
    expect(heard).not.toContain('and blue well');
  }

  for (const player of [blue, yellow]) {
    await player.get('resign').click();
    await player.get('resign-confirm').click();
    await player.get('resign').waitFor({ state: 'detached' });
  }
  await red.get('result').waitFor();
  await red.openChat();
  await red.hears('red stands badly');
  await red.hears('and blue well');
  await red.picture('chat-after');

  await red.get('chat-people').click();
  await red.page.locator('[data-testid^="mute-"]').first().click();
  expect(await red.page.locator('[data-testid^="mute-"][aria-pressed="true"]').count()).toBe(1);
  house.expectNoErrors();
});
