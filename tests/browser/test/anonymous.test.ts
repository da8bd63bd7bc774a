import { describe, expect, test } from 'vitest';
import { userName } from '../src/accounts.ts';
import { Browsers } from '../src/browsers.ts';
import { expectGoodPage } from '../src/good-page.ts';
import { openTableOf } from '../src/own-table.ts';

const chromium = new Browsers();

const SIZES = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, desk: { width: 1440, height: 900 } };

describe.each(Object.entries(SIZES))('on a %s', (size, viewport) => {
  test.each(['en', 'de', 'es'])('the names of an anonymous match appear at its end: %s', async (locale) => {
    const options = { viewport, locale, reducedMotion: 'reduce' } as const;
    const [host, guest, watcher] = [
      await chromium.openBrowser('host', undefined, options),
      await chromium.openBrowser('guest', undefined, { locale }),
      await chromium.openBrowser('watcher', undefined, options),
    ];
    const names = [await userName(host), await userName(guest)];
    await openTableOf(host, { variant: 'dilkel', privacy: 'public', seat: 'red', seating: 'chosen', anonymous: true });
    const path = new URL(host.page.url()).pathname;
    const others = [await chromium.openBrowser('blue'), await chromium.openBrowser('green')];
    for (const [index, color] of ['blue', 'green'].entries()) {
      await others[index]?.goTo(path);
      await others[index]?.byTestId(`sit-${color}`).click();
    }
    await guest.goTo(path);
    await watcher.goTo(path);
    await watcher.page.waitForSelector('[data-testid="seat-green"][data-held="true"]');
    const shown = async (): Promise<string> => (await watcher.page.locator('body').textContent()) ?? '';
    for (const name of names) expect(await shown()).not.toContain(name);
    await expectGoodPage(watcher, `anonymous-open-${size}-${locale}`);
    await watcher.goTo('/');
    await watcher.page.locator(`[data-testid="table-row"][data-table="${path.slice('/t/'.length)}"]`).waitFor();
    for (const name of names) expect(await shown()).not.toContain(name);
    await watcher.goTo(path);
    await guest.byTestId('sit-yellow').click();
    await watcher.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
    for (const name of names) expect(await shown()).not.toContain(name);
    await expectGoodPage(watcher, `anonymous-running-${size}-${locale}`);
    for (const player of [host, guest, ...others.slice(1)]) {
      const { seq } = await player.board();
      await player.byTestId('resign').click();
      await player.byTestId('resign-confirm').click();
      await player.boardAfter(seq);
    }
    await watcher.byTestId('result').waitFor();
    for (const name of names) await watcher.page.getByText(name).first().waitFor();
    await expectGoodPage(watcher, `anonymous-ended-${size}-${locale}`);
    chromium.expectNoErrors();
  });
});
