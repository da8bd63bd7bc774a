import { expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { PHONE } from '../src/person.ts';

const chromium = new Browsers();

test('a new visitor chooses a name before the first seat, and changes it on the profile page', async () => {
  const visitor = await chromium.openBrowser('visitor', undefined, { ...PHONE, isNew: true });
  await visitor.byTestId('quick-dilkel').click();
  const field = visitor.byTestId('name-input');
  await field.waitFor();
  expect(await axeFindings(visitor)).toEqual([]);
  await visitor.screenshot('name-phone');
  await field.fill('Server');
  await visitor.byTestId('name-submit').click();
  await visitor.byTestId('wrong-name').filter({ hasText: 'not available' }).waitFor();
  await field.fill('Zoë');
  await visitor.byTestId('name-submit').click();
  await visitor.page.locator('.plate[data-mine="true"]').filter({ hasText: 'Zoë' }).waitFor();

  // The page asks only once, and a reload keeps the name.
  await visitor.goTo('/');
  await visitor.byTestId('user').filter({ hasText: 'Zoë' }).waitFor();
  await visitor.byTestId('menu').click();
  await visitor.page.locator('#menu a[href^="/u/"]').click();
  await visitor.byTestId('rename').click();
  await field.fill('Zoë der Große');
  await visitor.byTestId('name-submit').click();
  await visitor.byTestId('player').filter({ hasText: 'Zoë der Große' }).waitFor();
  await field.waitFor({ state: 'detached' });
  expect(await axeFindings(visitor)).toEqual([]);
  chromium.expectNoErrors();
});
