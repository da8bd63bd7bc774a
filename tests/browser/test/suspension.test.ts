import { expect, test } from 'vitest';
import { userId, userName } from '../src/accounts.ts';
import { BrowsersOf } from '../src/browsers.ts';
import { expectGoodPageAtAllSizes } from '../src/good-page.ts';
import { OperatedServer } from '../src/operator.ts';
import { LANGUAGES_WITH_SIZES, SIZES } from '../src/sizes.ts';

const chromium = new BrowsersOf(() => OperatedServer.start());

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

test.each(LANGUAGES_WITH_SIZES)('the banner is complete and accessible: %s, on a %s', async (locale, size) => {
  const person = await chromium.openBrowser(size, undefined, { viewport: SIZES[size], locale, reducedMotion: 'reduce' });
  const id = await userId(person);
  await chromium.site.suspend(id, REASON, 24);
  await person.byTestId('suspended').waitFor();
  await expectGoodPageAtAllSizes(person, `suspended-${locale}`);
  await person.goTo('/settings');
  await person.byTestId('suspended').waitFor();
  await person.byTestId('personal-data').scrollIntoViewIfNeeded();
  await expectGoodPageAtAllSizes(person, `personal-data-${locale}`);
  chromium.expectNoErrors();
});
