import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';

const chromium = new Browsers();

test('Chromium loads no pages but those of the test', async () => {
  const ada = await chromium.openBrowser('ada');
  const bob = await chromium.openBrowser('bob');
  for (const { page } of [ada, bob]) await page.waitForSelector('[data-testid="connection"][data-state="online"]');
  const devtools = await ada.page.context().browser()?.newBrowserCDPSession();
  const targets = await devtools?.send('Target.getTargets');
  expect(targets?.targetInfos.map(({ type }) => type)).toEqual(['page', 'page']);
  chromium.expectNoErrors();
});
