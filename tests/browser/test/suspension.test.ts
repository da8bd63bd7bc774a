import { describe, expect, test } from 'vitest';
import { userId, userName } from '../src/accounts.ts';
import { axeFindings } from '../src/axe.ts';
import { BrowsersOf } from '../src/browsers.ts';
import { OperatedServer } from '../src/operator.ts';
import { cutTexts } from '../src/overflow.ts';

const chromium = new BrowsersOf(() => OperatedServer.start());

const SIZES = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, desk: { width: 1440, height: 900 } };
const REASON = 'insults in the chat, after two warnings';

test('a suspension appears at once, is the answer to refused actions, and disappears when it is lifted', async () => {
  const person = await chromium.openBrowser('rude');
  const id = await userId(person);
  await person.byTestId('connection').and(person.page.locator('[data-state="online"]')).waitFor();
  await chromium.site.suspend(id, REASON, 24);
  const banner = person.byTestId('suspended');
  await banner.filter({ hasText: `Reason: ${REASON}` }).waitFor();
  await person.byTestId('quick-dilkel').click();
  await person.byTestId('notices').filter({ hasText: REASON }).waitFor();
  await person.screenshot('suspended-refusal');
  // The page still knows it after it was loaded again.
  await person.goTo('/archive');
  await banner.filter({ hasText: REASON }).waitFor();
  await chromium.site.restore(id);
  await banner.waitFor({ state: 'detached' });
  await person.goTo('/');
  await person.byTestId('quick-dilkel').click();
  await person.byTestId('board').waitFor();
  chromium.expectNoErrors();
});

test('the settings save the data of the user', async () => {
  const person = await chromium.openBrowser('ada');
  const name = await userName(person);
  await person.goTo('/settings');
  const download = person.page.waitForEvent('download');
  await person.byTestId('export-data').click();
  const stream = await (await download).createReadStream();
  const content = (await stream.toArray()).join('');
  expect(JSON.parse(content)).toMatchObject({ user: { name }, sessions: [{ client: 'browser' }] });
  chromium.expectNoErrors();
});

describe.each(Object.entries(SIZES))('on a %s', (size, viewport) => {
  test.each(['en', 'de', 'es'])('the banner is complete and accessible: %s', async (locale) => {
    const person = await chromium.openBrowser(size, undefined, { viewport, locale, reducedMotion: 'reduce' });
    const id = await userId(person);
    await chromium.site.suspend(id, REASON, 24);
    await person.byTestId('suspended').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await person.page.emulateMedia({ colorScheme });
      await person.screenshot(`suspended-${size}-${locale}-${colorScheme}`);
      expect(await axeFindings(person), colorScheme).toEqual([]);
    }
    expect(await cutTexts(person)).toEqual([]);
    await person.goTo('/settings');
    await person.byTestId('personal-data').scrollIntoViewIfNeeded();
    await person.byTestId('suspended').waitFor();
    await person.page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
    expect(await cutTexts(person)).toEqual([]);
    expect(await axeFindings(person)).toEqual([]);
    await person.byTestId('personal-data').scrollIntoViewIfNeeded();
    await person.screenshot(`personal-data-${size}-${locale}`);
    chromium.expectNoErrors();
  });
});
