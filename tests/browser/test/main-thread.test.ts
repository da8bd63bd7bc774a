import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { markTableEvents, MainThreadTrace } from '../src/main-thread.ts';
import { PHONE } from '../src/person.ts';
import { ScriptedClients } from '../src/scripted-clients.ts';
import { scriptedMoves } from '../src/script.ts';

const chromium = new Browsers();

const WINDOWS = { desk: { viewport: { width: 1440, height: 900 } }, phone: PHONE };
/** The number of moves. There are captures among them. */
const PLIES = 14;
/**
 * The largest number of elements that an update of the style may include: those of two plates with
 * new captured pieces, or those of the moved piece and the squares whose pieces may move now. The
 * board has more than a thousand.
 */
const MOST_STYLED = 100;

test.each(Object.entries(WINDOWS))('a move restyles few elements, also when a turn of the viewer begins: %s', async (size, options) => {
  const clients = await ScriptedClients.seatPlayers(chromium, 'dilkel', 'red');
  const player = await chromium.openBrowser(`player-${size}`, undefined, { ...options, reducedMotion: 'reduce' });
  await player.page.addInitScript(markTableEvents);
  await player.goTo(clients.path);
  await player.byTestId('sit-red').click();
  const firstPlayer = await clients.firstPlayer();
  await player.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  await player.byTestId('draw-animation').waitFor({ state: 'detached' });
  const trace = await MainThreadTrace.start(player.page, 1);
  await player.page.reload();
  await player.byTestId('board').waitFor();
  for (const [index, move] of scriptedMoves('dilkel', firstPlayer).slice(0, PLIES).entries()) {
    await expect.poll(async () => (await clients.isReady()) || (await player.mayMove())).toBe(true);
    if (await clients.isReady()) await clients.move(move);
    else await player.move(move, 'click');
    // The list of moves is the last part of the page that shows a move.
    await player.page.waitForFunction((count) => document.querySelectorAll('.moves .move').length === count, index + 1);
  }
  const moves = (await trace.stop()).filter(({ step }) => step === 'move');
  expect(moves.length).toBe(PLIES);
  const styled = moves.flatMap((move) => move.styled);
  expect(styled.length).toBeGreaterThan(PLIES);
  expect(Math.max(...styled)).toBeLessThanOrEqual(MOST_STYLED);
  chromium.expectNoErrors();
});
