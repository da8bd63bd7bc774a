import { expect, test } from 'vitest';
import { userName } from '../src/accounts.ts';
import { Browsers } from '../src/browsers.ts';
import { expectGoodPageAtAllSizes } from '../src/good-page.ts';
import { openTableOf } from '../src/own-table.ts';
import { LANGUAGES_WITH_SIZES, SIZES } from '../src/sizes.ts';

const chromium = new Browsers();

test.each(LANGUAGES_WITH_SIZES)('the names of an anonymous match appear at its end: %s, on a %s', async (locale, size) => {
  const viewport = SIZES[size];
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
  await expectGoodPageAtAllSizes(watcher, `anonymous-open-${locale}`);
  await watcher.goTo('/');
  await watcher.page.locator(`[data-testid="table-row"][data-table="${path.slice('/t/'.length)}"]`).waitFor();
  for (const name of names) expect(await shown()).not.toContain(name);
  await watcher.goTo(path);
  await guest.byTestId('sit-yellow').click();
  await watcher.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  for (const name of names) expect(await shown()).not.toContain(name);
  await expectGoodPageAtAllSizes(watcher, `anonymous-running-${locale}`);
  for (const player of [host, guest, ...others.slice(1)]) {
    const { seq } = await player.board();
    await player.byTestId('resign').click();
    await player.byTestId('resign-confirm').click();
    await player.boardAfter(seq);
  }
  await watcher.byTestId('result').waitFor();
  for (const name of names) await watcher.page.getByText(name).first().waitFor();
  await expectGoodPageAtAllSizes(watcher, `anonymous-ended-${locale}`);
  chromium.expectNoErrors();
});
