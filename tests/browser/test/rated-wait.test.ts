import { describe, expect, test } from 'vitest';
import { signUp } from '../src/accounts.ts';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { cutTexts } from '../src/overflow.ts';
import type { Person } from '../src/person.ts';

const chromium = new Browsers('[fair_play]\nleaver_wait_minutes = [12]\npair_same_network = true\n');

const SIZES = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, desk: { width: 1440, height: 900 } };

/** Expects a page without cut texts and findings of axe, and takes screenshots of it. */
async function expectGood(person: Person, name: string): Promise<void> {
  expect(await cutTexts(person), name).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await person.page.emulateMedia({ colorScheme });
    await person.screenshot(`${name}-${colorScheme}`);
    expect(await axeFindings(person), `${name} ${colorScheme}`).toEqual([]);
  }
  await person.page.emulateMedia({ colorScheme: 'light' });
}

describe.each(Object.entries(SIZES))('on a %s', (size, viewport) => {
  test.each(['en', 'de', 'es'])('a player who leaves a rated match sees how long the wait for the next one is: %s', async (locale) => {
    const options = { viewport, locale, reducedMotion: 'reduce' } as const;
    const host = await chromium.openBrowser('host', undefined, options);
    await signUp(host, `Hanna ${size} ${locale}`);
    const leaver = await chromium.openBrowser('leaver', undefined, options);
    await signUp(leaver, `Leo ${size} ${locale}`);
    await host.goTo('/');
    await host.byTestId('new-table').click();
    await host.choose('variant', 'classic');
    await host.choose('seat', 'white');
    await host.choose('clock', '5-5');
    await host.choose('rated', 'rated');
    await host.byTestId('create').click();
    await host.byTestId('board').waitFor();
    await leaver.goTo(new URL(host.page.url()).pathname);
    await leaver.byTestId('sit-black').click();
    await leaver.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
    await leaver.byTestId('resign').click();
    await leaver.byTestId('resign-confirm').click();
    await leaver.byTestId('rematch').waitFor();

    // The first page shows the wait as soon as the archive knows the match.
    await expect
      .poll(async () => {
        await leaver.goTo('/');
        await leaver.byTestId('rated-5-5').waitFor();
        return leaver.byTestId('rated-wait').isVisible();
      })
      .toBe(true);
    expect(await leaver.byTestId('rated-wait').innerText()).toContain('12 min');
    expect(await leaver.byTestId('rated-5-5').isDisabled()).toBe(true);
    await leaver.byTestId('rated-wait').scrollIntoViewIfNeeded();
    await expectGood(leaver, `rated-wait-${size}-${locale}`);
    await leaver.byTestId('new-table').click();
    await leaver.choose('seat', 'random');
    await leaver.choose('clock', '5-5');
    await leaver.page.waitForSelector('[data-testid="rated-hint"][data-obstacle="wait"]');
    await leaver.byTestId('rated-hint').scrollIntoViewIfNeeded();
    await expectGood(leaver, `rated-wait-table-${size}-${locale}`);

    // At a rated table the seat is refused with the time left.
    await leaver.page.keyboard.press('Escape');
    await host.goTo('/');
    await host.byTestId('new-table').click();
    await host.byTestId('create').click();
    await host.byTestId('board').waitFor();
    await leaver.goTo(new URL(host.page.url()).pathname);
    await leaver.byTestId('sit-black').click();
    await leaver.byTestId('notices').filter({ hasText: '12 min' }).waitFor();
    await expectGood(leaver, `rated-wait-refused-${size}-${locale}`);
    chromium.expectNoErrors();
  });
});
