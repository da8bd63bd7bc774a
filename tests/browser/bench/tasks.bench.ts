import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { markTableEvents, MainThreadTrace, type Step } from '../src/main-thread.ts';
import { PHONE, type Person } from '../src/person.ts';
import { ROOT } from '../src/program.ts';
import { ScriptedClients } from '../src/scripted-clients.ts';
import { scriptedMoves, type Move } from '../src/script.ts';

const chromium = new Browsers();

/** The factor by which the page's processor is slowed down. */
const THROTTLING = 6;
/**
 * The number of matches. There are several, because other programs on the machine may disturb a
 * match.
 */
const MATCHES = Number(process.env['MATCHES'] ?? 3);
/** The length of a task that a user notices, in milliseconds (W3C Long Tasks). */
const LONG_MS = 50;
/** The pause after each move, in milliseconds, in which animations end and delayed work runs. */
const REST_MS = 350;
/** The duration of a press, and the pause after it, in milliseconds. */
const PRESS_MS = 80;

const WINDOWS = { desk: { viewport: { width: 1440, height: 900 } }, phone: PHONE };

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) * 10) / 10;
}

/**
 * Makes a move by two presses. They do not use Playwright's `click`, which checks the page in the
 * handlers of each press and so takes time of the measured tasks.
 */
async function pressMove(player: Person, { from, to, promotion }: Move, isTouch: boolean): Promise<void> {
  for (const square of [from, to]) {
    const box = await player.square(square).boundingBox();
    if (box === null) throw new Error('the square is on the page');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (isTouch) await player.page.touchscreen.tap(x, y);
    else {
      await player.page.mouse.move(x, y);
      await player.page.mouse.down();
      await player.page.waitForTimeout(PRESS_MS);
      await player.page.mouse.up();
    }
    await player.page.waitForTimeout(PRESS_MS);
  }
  if (promotion !== undefined) await player.byTestId(`promote-${promotion}`).click();
}

test.each(Object.entries(WINDOWS))('the longest task after each event of a match, on a %s', async (size, options) => {
  const longest: Record<Step, number[]> = { open: [], press: [], move: [], elimination: [], end: [] };
  const tasks: number[] = [];
  for (let match = 0; match < MATCHES; match += 1) {
    const clients = await ScriptedClients.seatPlayers(chromium, 'dilkel', 'red');
    const player = await chromium.openBrowser(`player-${size}-${match}`, undefined, options);
    await player.page.addInitScript(markTableEvents);
    await player.goTo(clients.path);
    await player.byTestId('sit-red').click();
    const firstPlayer = await clients.firstPlayer();
    await player.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
    const trace = await MainThreadTrace.start(player.page, THROTTLING);
    await player.page.reload();
    await player.byTestId('board').waitFor();
    for (const move of scriptedMoves('dilkel', firstPlayer)) {
      do await player.page.waitForTimeout(REST_MS);
      while (!(await clients.isReady()) && !(await player.mayMove()));
      if (await clients.isReady()) await clients.move(move);
      else await pressMove(player, move, size === 'phone');
    }
    await player.byTestId('result').waitFor();
    await player.page.waitForTimeout(REST_MS);
    for (const { step, task_ms } of await trace.stop()) {
      longest[step].push(Math.max(...task_ms));
      tasks.push(...task_ms);
    }
    await player.leave();
  }
  const rows = Object.entries(longest).flatMap(([step, values]) => [
    { name: `${size}, ${step}: the longest task, n`, value: values.length, unit: '' },
    { name: `${size}, ${step}: the longest task, median`, value: quantile(values, 0.5), unit: 'ms' },
    { name: `${size}, ${step}: the longest task, p99`, value: quantile(values, 0.99), unit: 'ms' },
    { name: `${size}, ${step}: the longest task, max`, value: quantile(values, 1), unit: 'ms' },
    { name: `${size}, ${step}: over ${LONG_MS} ms`, value: values.filter((value) => value > LONG_MS).length, unit: '' },
  ]);
  mkdirSync(join(ROOT, 'target/bench'), { recursive: true });
  writeFileSync(join(ROOT, `target/bench/tasks-${size}.json`), `${JSON.stringify(rows, null, 2)}\n`);
  console.warn(rows.map(({ name, value, unit }) => `${name.padEnd(48)} ${String(value).padStart(8)} ${unit}`).join('\n'));
  expect(longest.end.length).toBe(MATCHES);
  expect(tasks.length).toBeGreaterThan(0);
}, 900_000);
