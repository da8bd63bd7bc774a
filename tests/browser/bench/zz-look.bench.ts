import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import { ScriptedClients } from '../src/scripted-clients.ts';
import { scriptedMoves } from '../src/script.ts';
import { axeFindings } from '../src/axe.ts';
const chromium = new Browsers('[reviews]\nautomatic_plies = 20\n');
const SIZES = { 360: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }, 820: { viewport: { width: 820, height: 1180 } }, 1440: { viewport: { width: 1440, height: 900 } } };
test('look', async () => {
  for (const [size, options] of Object.entries(SIZES)) {
    const colorScheme = size === '820' ? 'dark' as const : 'light' as const;
    for (const scheme of size === '820' ? ['dark'] as const : ['light', 'dark'] as const) {
      const p = await chromium.openBrowser(`n${size}${scheme}`, undefined, { ...options, colorScheme: scheme, isNew: true });
      await p.page.locator('.showcase-board svg').waitFor();
      await p.page.waitForTimeout(500);
      const shot = async (n: string, full = false) => { await p.page.waitForTimeout(400); await p.page.screenshot({ path: `/tmp/q27-look/${n}-${size}-${scheme}.png`, fullPage: full }); };
      await shot('1-first', true);
      await p.byTestId('bots-dilkel').click();
      await p.page.waitForTimeout(1500);
      await shot('2-bots');
      // name dialog?
      const nameButton = p.byTestId('name-submit');
      if (await nameButton.isVisible()) { await nameButton.click(); }
      await p.byTestId('board').waitFor();
      await p.page.waitForTimeout(3500);
      await shot('3-table', true);
      console.log(size, scheme, 'axe table', JSON.stringify(await axeFindings(p)).slice(0, 300));
      // play
      for (let i = 0; i < 3; i += 1) {
        try {
          await p.page.locator('[data-movable][data-piece$="P"]').nth(3 + i).waitFor({ timeout: 12000 });
          await p.page.locator('[data-movable][data-piece$="P"]').nth(3 + i).click();
          await p.page.locator('[data-target]').last().waitFor();
          if (i === 1) await shot('4-picked');
          await p.page.locator('[data-target]').last().click();
          await p.page.waitForTimeout(600);
        } catch (e) { console.log(size, 'move', i, String(e).slice(0, 100)); }
      }
      await p.page.waitForTimeout(2500);
      await shot('5-play', true);
      await p.byTestId('resign').click(); await shot('6-resign');
      await p.leave();
    }
  }
  expect(1).toBe(1);
}, 600_000);
