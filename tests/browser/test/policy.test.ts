import { expect, test } from 'vitest';
import { seatPlayers } from '../src/players.ts';
import { expectSameBoards, Browsers } from '../src/browsers.ts';
import { scriptedMoves, type Color } from '../src/script.ts';

const chromium = new Browsers();

test('a whole match and all pages cause no violation of the content security policy with Trusted Types', async () => {
  const { path, inTurn } = await seatPlayers(chromium, { variant: 'classic' }, { serviceWorkers: 'allow' });
  const [white, black] = inTurn;
  if (white === undefined || black === undefined) throw new Error('two play');
  let shown = await white.board();
  for (const move of scriptedMoves('classic', shown.turn as Color)) {
    const mover = shown.turn === 'white' ? white : black;
    if (!(await mover.mayMove())) break;
    await mover.move(move, 'click');
    shown = await expectSameBoards([white, black], shown.seq);
  }
  // The policy allows the service worker, the only address that a script may choose.
  await white.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await white.page.waitForSelector('[data-testid="result"]');
  for (const page of ['/', '/archive', '/analysis', '/rules', '/settings', path]) {
    await white.goTo(page);
    await white.page.waitForSelector('main h1, [data-testid="board"]');
  }
  await white.byTestId('menu').click();
  await white.byTestId('menu-handover').click();
  await white.byTestId('handover-link').waitFor();
  chromium.expectNoErrors();
});

test('no text becomes markup or the address of a script', async () => {
  const person = await chromium.openBrowser('ada');
  const refused = await person.page.evaluate(() => {
    const tries: Record<string, () => unknown> = {
      markup: () => (document.createElement('div').innerHTML = '<b>x</b>'),
      script: () => (document.createElement('script').src = '/sw.js'),
      worker: () => new Worker('/sw.js'),
      policy: () => (globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }).trustedTypes.createPolicy('other', {}),
    };
    return Object.entries(tries).filter(([, attempt]) => {
      try {
        attempt();
        return false;
      } catch (error) {
        return error instanceof TypeError;
      }
    }).map(([name]) => name);
  });
  expect(refused).toEqual(['markup', 'script', 'worker', 'policy']);
  // Each violation was reported, so a match without reports had none.
  await expect.poll(() => person.errors.length).toBe(refused.length);
});
