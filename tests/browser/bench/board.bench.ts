import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { ROOT } from '../src/program.ts';
import { ScriptedClients } from '../src/scripted-clients.ts';
import { scriptedMoves } from '../src/script.ts';

const chromium = new Browsers();
/** The number of measured moves. */
const PLIES = 60;
/** The number of turns of the board. */
const TURNS = 60;

interface Measured {
  /**
   * The times from the arrival of a frame to the change of the board and to its painting, in
   * milliseconds.
   */
  readonly changed: number[];
  readonly painted: number[];
}

/** Records the times of the arrival of frames, of the change of the board, and of its painting. */
function measure(): void {
  const measured: Measured = { changed: [], painted: [] };
  Object.assign(globalThis, { measured });
  let arrived = 0;
  const { addEventListener: listen } = WebSocket.prototype;
  WebSocket.prototype.addEventListener = function (this: WebSocket, type: string, ...rest: [never]) {
    // This listener runs before the client's own one.
    if (type === 'message') {
      listen.call(this, 'message', (event) => {
        if (String((event as MessageEvent).data).includes('"type":"moved"')) arrived = performance.now();
      });
    }
    listen.call(this, type, ...rest);
  };
  const observer = new MutationObserver((records) => {
    if (arrived === 0 || !records.some(({ attributeName }) => attributeName === 'data-board-seq')) return;
    const start = arrived;
    arrived = 0;
    measured.changed.push(performance.now() - start);
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => measured.painted.push(performance.now() - start));
      port1.start();
      port2.postMessage(null);
    });
  });
  observer.observe(document, { subtree: true, attributes: true, attributeFilter: ['data-board-seq'] });
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) * 100) / 100;
}

test('the time until a move is painted, and until a rotated board is painted', async () => {
  const clients = await ScriptedClients.seatPlayers(chromium, 'dilkel');
  const watcher = await chromium.openBrowser('watcher', undefined, { viewport: { width: 1440, height: 900 } });
  await watcher.page.addInitScript(measure);
  await watcher.goTo(clients.path);
  await watcher.byTestId('board').waitFor();
  for (const move of scriptedMoves('dilkel', await clients.firstPlayer()).slice(0, PLIES)) {
    const seq = await clients.move(move);
    await watcher.boardAfter(seq - 1);
  }
  const { changed, painted } = await watcher.page.evaluate(() => (globalThis as unknown as { measured: Measured }).measured);
  expect(changed.length).toBeGreaterThan(PLIES / 2);

  const turned = await watcher.page.evaluate(async (times) => {
    const took: number[] = [];
    const board = document.querySelector('[data-testid="board"]');
    for (let turn = 0; turn < times; turn += 1) {
      const start = performance.now();
      const done = new Promise((resolve) => new MutationObserver((_, observer) => (observer.disconnect(), resolve(null))).observe(board as Element, { subtree: true, attributes: true, childList: true }));
      dispatchEvent(new KeyboardEvent('keydown', { key: 'f' }));
      await done;
      took.push(performance.now() - start);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return took;
  }, TURNS);

  const rows = [
    { name: 'a move, from its frame to the board, median', value: quantile(changed, 0.5), unit: 'ms' },
    { name: 'a move, from its frame to the board, p95', value: quantile(changed, 0.95), unit: 'ms' },
    { name: 'a move, from its frame to the screen, median', value: quantile(painted, 0.5), unit: 'ms' },
    { name: 'a move, from its frame to the screen, p95', value: quantile(painted, 0.95), unit: 'ms' },
    { name: 'the whole board drawn anew, turned, median', value: quantile(turned, 0.5), unit: 'ms' },
    { name: 'the whole board drawn anew, turned, p95', value: quantile(turned, 0.95), unit: 'ms' },
  ];
  mkdirSync(join(ROOT, 'target/bench'), { recursive: true });
  writeFileSync(join(ROOT, 'target/bench/board.json'), `${JSON.stringify(rows, null, 2)}\n`);
  console.warn(rows.map(({ name, value, unit }) => `${name.padEnd(48)} ${String(value).padStart(8)} ${unit}`).join('\n'));
  chromium.expectNoErrors();
});
