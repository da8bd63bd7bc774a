import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { markTableEvents, MainThreadTrace, type PageUpdate, type StepTasks } from '../src/main-thread.ts';
import { PHONE } from '../src/person.ts';
import { ScriptedClients } from '../src/scripted-clients.ts';
import { scriptedMoves } from '../src/script.ts';

const chromium = new Browsers();

const WINDOWS = { desk: { viewport: { width: 1440, height: 900 } }, phone: PHONE };
/** The number of moves. There are captures among them. */
const PLIES = 14;
/** The number of steps in which the page shows a move (`view/table/render-steps` of the client). */
const RENDER_STEPS = 4;
/**
 * The largest numbers of elements that may be styled and laid out for a step of a move. They are
 * those of two plates with new captured pieces. The board has more than a thousand.
 */
const MOST = { styled: 100, laidOut: 100 };
/**
 * The largest numbers for a pressed piece, and for the board's step of a move: those of the moved
 * pieces and of the squares with marks. A player has 16 pieces with two elements each.
 */
const MOST_ON_BOARD = { styled: 40, laidOut: 40 };

test.each(Object.entries(WINDOWS))('a move and a press restyle and lay out few elements: %s', async (size, options) => {
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
  // The list of moves is one of the last parts of an opened page.
  await player.page.waitForSelector('.moves');
  for (const [index, move] of scriptedMoves('dilkel', firstPlayer).slice(0, PLIES).entries()) {
    await expect.poll(async () => (await clients.isReady()) || (await player.mayMove())).toBe(true);
    if (await clients.isReady()) await clients.move(move);
    else await player.move(move, 'click');
    // The list of moves is the last part of the page that shows a move.
    await player.page.waitForFunction((count) => document.querySelectorAll('.moves .move').length === count, index + 1);
  }
  const steps = await trace.stop();
  const moves = steps.filter(({ step }) => step === 'move').map(({ updates }) => updates);
  expect(moves.length).toBe(PLIES);
  const all = moves.flat();
  expect(all.length).toBeGreaterThan(PLIES);
  expect(largest(all, 'styled')).toBeLessThanOrEqual(MOST.styled);
  expect(largest(all, 'laidOut')).toBeLessThanOrEqual(MOST.laidOut);
  // If the page was slow, it has painted several steps as one.
  const painted = moves.map((updates) => updates.filter(({ laidOut }) => laidOut > 0)).filter(({ length }) => length >= RENDER_STEPS);
  const onBoard = [...painted, ...presses(steps)].flatMap((updates) => updates.slice(0, 1));
  expect(onBoard.length).toBeGreaterThan(0);
  expect(largest(onBoard, 'styled')).toBeLessThanOrEqual(MOST_ON_BOARD.styled);
  expect(largest(onBoard, 'laidOut')).toBeLessThanOrEqual(MOST_ON_BOARD.laidOut);
  chromium.expectNoErrors();
});

/** Returns the updates after each press that have changed the layout. */
function presses(steps: readonly StepTasks[]): PageUpdate[][] {
  return steps.filter(({ step }) => step === 'press').map(({ updates }) => updates.filter(({ laidOut }) => laidOut > 0));
}

function largest(updates: readonly PageUpdate[], what: keyof PageUpdate): number {
  return Math.max(...updates.map((update) => update[what]));
}
