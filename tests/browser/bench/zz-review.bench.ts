import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { ScriptedClients } from '../src/scripted-clients.ts';
import { scriptedMoves } from '../src/script.ts';
import { axeFindings } from '../src/axe.ts';
const chromium = new Browsers();
test('review', async () => {
  const clients = await ScriptedClients.seatPlayers(chromium, 'dilkel', 'red');
  const p = await chromium.openBrowser('red', undefined, { viewport: { width: 1440, height: 900 } });
  await p.goTo(clients.path);
  await p.byTestId('sit-red').click();
  const first = await clients.firstPlayer();
  await p.byTestId('draw-animation').waitFor({ state: 'detached' });
  for (const move of scriptedMoves('dilkel', first)) {
    await expect.poll(async () => (await clients.isReady()) || (await p.mayMove()), { timeout: 20000 }).toBe(true);
    if (await clients.isReady()) await clients.move(move); else await p.move(move, 'click');
  }
  await p.byTestId('result').waitFor();
  await p.page.waitForTimeout(1500);
  await p.page.screenshot({ path: '/tmp/q27-look/7-result-1440.png', fullPage: true });
  const replay = await p.page.locator('a[href^="/m/"]').first().getAttribute('href');
  console.log('replay', replay, 'axe', JSON.stringify(await axeFindings(p)).slice(0, 300));
  for (const [name, options] of Object.entries({ 360: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: 'dark' }, 1440: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' } } as const)) {
    const w = await chromium.openBrowser(`w${name}`, undefined, options);
    await w.goTo(replay ?? '');
    await w.page.waitForTimeout(2500);
    const ask = w.page.locator('[data-testid^="review"]');
    console.log('review ids', JSON.stringify(await ask.evaluateAll((all) => all.map((e) => `${e.getAttribute('data-testid')} ${e.textContent?.slice(0, 60)}`))));
    const request = w.byTestId('review-request');
    if (await request.isVisible()) { await request.click(); }
    for (let i = 0; i < 40 && !(await w.page.locator('.review-graph, [data-testid="review-graph"]').first().isVisible()); i += 1) await w.page.waitForTimeout(2000);
    await w.page.waitForTimeout(1000);
    await w.page.screenshot({ path: `/tmp/q27-look/8-review-${name}.png`, fullPage: true });
    console.log(name, 'axe', JSON.stringify(await axeFindings(w)).slice(0, 300));
  }
}, 400_000);
test('share', async () => {
  for (const [name, options] of Object.entries({ 360: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: 'light' }, 1440: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' } } as const)) {
    const w = await chromium.openBrowser(`s${name}`, undefined, options);
    await w.byTestId('friends-dilkel').click().catch(async () => { await w.page.getByText('Play with friends').click(); });
    await w.page.waitForTimeout(2500);
    await w.page.screenshot({ path: `/tmp/q27-look/9-friends-${name}.png`, fullPage: false });
    const qr = w.page.getByRole('button', { name: /QR/ }).first();
    if (await qr.isVisible()) { await qr.click(); await w.page.waitForTimeout(800); await w.page.screenshot({ path: `/tmp/q27-look/9-qr-${name}.png` }); }
    console.log(name, 'axe', JSON.stringify(await axeFindings(w)).slice(0, 300), (await w.page.locator('button:visible').allTextContents()).join('|').slice(0, 400));
  }
  expect(1).toBe(1);
}, 200_000);
