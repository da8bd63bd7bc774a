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

/** The number of plies before a long match is opened, and the number of measured moves after that. */
const PLIES_BEFORE = 110;
const MEASURED_MOVES = 30;
/** The number of messages in the open chat. */
const MESSAGES = 5;

const WINDOWS = { desk: { viewport: { width: 1440, height: 900 } }, phone: PHONE };

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) * 10) / 10;
}

/**
 * Makes a move by two presses. They do not use Playwright's `click` and `tap`: `click` checks the
 * page in the handlers of each press and so takes time of the measured tasks, and the finger of
 * `tap` is lifted at once.
 */
async function pressMove(player: Person, { from, to, promotion }: Move, isTouch: boolean): Promise<void> {
  for (const square of [from, to]) {
    const box = await player.square(square).boundingBox();
    if (box === null) throw new Error('the square is on the page');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const pointer = await (isTouch ? fingerOf(player, x, y) : mouseOf(player, x, y));
    await pointer.down();
    await player.page.waitForTimeout(PRESS_MS);
    await pointer.up();
    await player.page.waitForTimeout(PRESS_MS);
  }
  if (promotion !== undefined) await player.byTestId(`promote-${promotion}`).click();
}

interface Pointer {
  readonly down: () => Promise<unknown>;
  readonly up: () => Promise<unknown>;
}

async function fingerOf(player: Person, x: number, y: number): Promise<Pointer> {
  const devtools = await player.page.context().newCDPSession(player.page);
  return {
    down: async () => devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] }),
    up: async () => {
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await devtools.detach();
    },
  };
}

async function mouseOf({ page }: Person, x: number, y: number): Promise<Pointer> {
  await page.mouse.move(x, y);
  return { down: async () => page.mouse.down(), up: async () => page.mouse.up() };
}

/** Returns the rows about the longest task after each event of a kind. */
function rowsOf(name: string, values: readonly number[]): Row[] {
  return [
    { name: `${name}: the longest task, n`, value: values.length, unit: '' },
    { name: `${name}: the longest task, median`, value: quantile(values, 0.5), unit: 'ms' },
    { name: `${name}: the longest task, p99`, value: quantile(values, 0.99), unit: 'ms' },
    { name: `${name}: the longest task, max`, value: quantile(values, 1), unit: 'ms' },
    { name: `${name}: over ${LONG_MS} ms`, value: values.filter((value) => value > LONG_MS).length, unit: '' },
  ];
}

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

function report(file: string, rows: readonly Row[]): void {
  mkdirSync(join(ROOT, 'target/bench'), { recursive: true });
  writeFileSync(join(ROOT, `target/bench/${file}.json`), `${JSON.stringify(rows, null, 2)}\n`);
  console.warn(rows.map(({ name, value, unit }) => `${name.padEnd(56)} ${String(value).padStart(8)} ${unit}`).join('\n'));
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
  report(`tasks-${size}`, Object.entries(longest).flatMap(([step, values]) => rowsOf(`${size}, ${step}`, values)));
  expect(longest.end.length).toBe(MATCHES);
  expect(tasks.length).toBeGreaterThan(0);
}, 900_000);

test.each(Object.entries(WINDOWS))('the longest task after each move of a long match, also with an open chat, on a %s', async (size, options) => {
  const longest: { open: number[]; moves: number[]; chat: number[] } = { open: [], moves: [], chat: [] };
  const parts = fractions();
  for (let match = 0; match < MATCHES; match += 1) {
    const clients = await ScriptedClients.seatPlayers(chromium, 'dilkel');
    await clients.firstPlayer();
    for (let ply = 0; ply < PLIES_BEFORE; ply += 1) await clients.moveAnywhere(parts());
    const watcher = await chromium.openBrowser(`watcher-${size}-${match}`, undefined, options);
    await watcher.page.addInitScript(markTableEvents);
    await watcher.goTo(clients.path);
    for (let message = 0; message < MESSAGES; message += 1) await watcher.sendMessage(`message ${message}`);
    await watcher.waitForChat(`message ${MESSAGES - 1}`);
    for (const tab of ['moves', 'chat'] as const) {
      const trace = await MainThreadTrace.start(watcher.page, THROTTLING);
      await watcher.page.reload();
      await watcher.byTestId(`tab-${tab}`).click();
      await watcher.byTestId(tab).waitFor();
      for (let move = 0; move < MEASURED_MOVES; move += 1) {
        await watcher.page.waitForTimeout(REST_MS);
        await clients.moveAnywhere(parts());
      }
      await watcher.page.waitForTimeout(REST_MS);
      for (const { step, task_ms } of await trace.stop()) {
        if (step === 'open') longest.open.push(Math.max(...task_ms));
        if (step === 'move') longest[tab].push(Math.max(...task_ms));
      }
    }
    await watcher.leave();
  }
  const name = `${size}, after ${PLIES_BEFORE} plies`;
  report(`tasks-long-${size}`, [
    ...rowsOf(`${name}, open`, longest.open),
    ...rowsOf(`${name}, move`, longest.moves),
    ...rowsOf(`${name}, move with an open chat`, longest.chat),
  ]);
  expect(longest.moves.length).toBeGreaterThan(0);
  expect(longest.chat.length).toBeGreaterThan(0);
}, 900_000);

/** Returns a function that returns fractions from 0 to 1, the same ones on each run. */
function fractions(): () => number {
  let state = 1;
  return () => {
    // The generator of Park and Miller.
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
