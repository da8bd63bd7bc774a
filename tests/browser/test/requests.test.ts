import { expect, test } from 'vitest';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import { seatPlayers } from '../src/players.ts';
import { PHONE, type Person } from '../src/person.ts';

const chromium = new Browsers();

test('a move is taken back after the opponent agrees', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = [inTurn[0], inTurn[1]];
  if (white === undefined || black === undefined) throw new Error('two play');
  await white.move({ from: 'e2', to: 'e4', promotion: undefined }, 'click');
  await black.square('e7').and(black.page.locator('[data-movable]')).waitFor();
  await white.byTestId('takeback-ask').click();
  await black.byTestId('takeback-accept').waitFor();
  await black.screenshot('takeback-asked');
  await black.byTestId('takeback-accept').click();
  await white.square('e2').and(white.page.locator('[data-movable]')).waitFor();
  const { pieces, turn } = await expectSameBoards([white, black]);
  expect([pieces['e2'], pieces['e4'], turn]).toEqual(['wP', undefined, 'white']);
  chromium.expectNoErrors();
});

/** Returns the positions of all controls of a player on the page. */
async function places(person: Person): Promise<Record<string, unknown>> {
  const names = ['board', 'move-input', 'draw-ask', 'resign', 'tab-chat', 'chat-log', 'chat-input', 'chat-send', 'handover'];
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await person.byTestId(name).boundingBox()])));
}

test.each([
  ['phone', PHONE],
  ['desk', { viewport: { width: 1280, height: 800 } }],
] as const)('an open request moves nothing on the page, and hides nothing one works with, at a %s', async (kind, options) => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'dilkel' }, options);
  const [first, second, third] = inTurn;
  if (first === undefined || second === undefined || third === undefined) throw new Error('four play');
  await third.openChat();
  const before = await places(third);
  expect(Object.values(before).filter((place) => place === null)).toEqual([]);
  await first.byTestId('draw-ask').click();
  await third.byTestId('draw-accept').waitFor();
  await second.byTestId('pause-ask').click();
  await third.byTestId('request-pause').waitFor();
  expect(await places(third)).toEqual(before);
  await third.screenshot(`requests-${kind}`);
  await third.sendMessage('let us play on');
  await first.page.waitForSelector('[data-testid="unread"][data-count="1"]');
  await third.byTestId('draw-decline').click();
  await third.byTestId('pause-accept').click();
  await third.byTestId('request-draw').waitFor({ state: 'detached' });
  chromium.expectNoErrors();
});

test('four players agree to a pause, and one of them ends it after a countdown', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'dilkel' });
  const [first, ...others] = inTurn;
  if (first === undefined) throw new Error('four play');
  await first.byTestId('pause-ask').click();
  for (const other of others) {
    await other.byTestId('pause-accept').click();
    await other.byTestId('pause-accept').waitFor({ state: 'detached' });
  }
  for (const person of inTurn) await person.page.waitForSelector('[data-testid="suspension"][data-kind="paused"]');
  expect(await first.mayMove(), 'nobody moves in a pause').toBe(false);
  await first.screenshot('paused');
  await others[1]?.byTestId('resume').click();
  await first.page.waitForSelector('[data-testid="suspension"][data-kind="resuming"]');
  await first.screenshot('resuming');
  await first.byTestId('suspension').waitFor({ state: 'detached' });
  await first.page.waitForSelector('[data-movable]');
  chromium.expectNoErrors();
});

test('a match is aborted when all agree, without places', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [white, black] = inTurn;
  await white?.byTestId('abort-ask').click();
  await white?.byTestId('abort-confirm').click();
  await black?.byTestId('abort-accept').click();
  await white?.byTestId('status').getByText('Aborted', { exact: true }).waitFor();
  expect(await white?.byTestId('result').count()).toBe(0);
  await white?.screenshot('aborted');
  const record = await white?.byTestId('record').getAttribute('href');
  const answer = await white?.page.request.get(new URL(record ?? '', chromium.server.url).href);
  expect(await answer?.json()).toMatchObject({ variant: 'classic' });
  chromium.expectNoErrors();
});
