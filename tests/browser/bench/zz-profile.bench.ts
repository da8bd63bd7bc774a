import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { markTableEvents } from '../src/main-thread.ts';
import { PHONE, type Person } from '../src/person.ts';
import { ScriptedClients } from '../src/scripted-clients.ts';
import { scriptedMoves, type Move } from '../src/script.ts';
const chromium = new Browsers();
const WINDOWS = { desk: { viewport: { width: 1440, height: 900 } }, phone: PHONE };
const PLIES = Number(process.env['PLIES'] ?? 40);
const RATE = Number(process.env['RATE'] ?? 6);
const which = process.env['SIZE'] ?? 'phone';
async function pressMove(player: Person, { from, to, promotion }: Move, isTouch: boolean) {
  for (const square of [from, to]) {
    const box = (await player.square(square).boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (isTouch) await player.page.touchscreen.tap(x, y);
    else { await player.page.mouse.move(x, y); await player.page.mouse.down(); await player.page.waitForTimeout(80); await player.page.mouse.up(); }
    await player.page.waitForTimeout(80);
  }
  if (promotion !== undefined) await player.byTestId(`promote-${promotion}`).click();
}
test('profile', async () => {
  const options = (WINDOWS as any)[which];
  const clients = await ScriptedClients.seatPlayers(chromium, 'dilkel', 'red');
  const player = await chromium.openBrowser(`player`, undefined, options);
  await player.page.addInitScript(markTableEvents);
  await player.goTo(clients.path);
  await player.byTestId('sit-red').click();
  const firstPlayer = await clients.firstPlayer();
  await player.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  const devtools = await player.page.context().newCDPSession(player.page);
  const events: any[] = [];
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: RATE });
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing', '__metadata', 'disabled-by-default-devtools.timeline.stack', 'disabled-by-default-v8.cpu_profiler', ...(process.env['INVAL'] ? ['disabled-by-default-devtools.timeline.invalidationTracking'] : [])].filter((c) => process.env['CPU'] || !c.includes('cpu_profiler'));
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  await player.page.reload();
  await player.byTestId('board').waitFor();
  let ply = 0;
  if (process.env['PROF']) { await devtools.send('Profiler.enable'); await devtools.send('Profiler.setSamplingInterval', { interval: 50 }); await devtools.send('Profiler.start'); }
  for (const move of scriptedMoves('dilkel', firstPlayer).slice(0, PLIES)) {
    do await player.page.waitForTimeout(350);
    while (!(await clients.isReady()) && !(await player.mayMove()));
    if (await clients.isReady()) await clients.move(move);
    else await pressMove(player, move, which === 'phone');
    ply += 1;
  }
  await player.page.waitForTimeout(1000);
  if (process.env['PROF']) writeFileSync('/tmp/q27.cpuprofile', JSON.stringify((await devtools.send('Profiler.stop')).profile));
  const done = new Promise((r) => devtools.once('Tracing.tracingComplete', r));
  await devtools.send('Tracing.end');
  await done;
  writeFileSync(`/tmp/q27-trace-${which}.json`, JSON.stringify({ traceEvents: events }));
  expect(ply).toBeGreaterThan(0);
}, 900_000);
