import { expect, test } from 'vitest';
import { axeFindings } from '../src/axe.ts';
import { Browsers } from '../src/browsers.ts';
import { cutTexts } from '../src/overflow.ts';

const chromium = new Browsers();

test.each(['en', 'de', 'es'])('the state of a lost connection does not cover the name on the narrowest screen: %s', async (locale) => {
  const person = await chromium.openBrowser('narrow', undefined, { viewport: { width: 360, height: 740 }, locale });
  await person.page.waitForSelector('[data-testid="connection"][data-state="online"]');
  await chromium.server.kill();
  await person.page.waitForSelector('[data-testid="connection"][data-state="reconnecting"]');
  const boxes = await person.page.evaluate(() =>
    ['.brand-icon', '.line-text', '.menu-button'].map((selector) => {
      const { left, right } = document.querySelector(selector)?.getBoundingClientRect() ?? { left: -1, right: -1 };
      return { left, right };
    }),
  );
  await person.screenshot(`narrow-header-${locale}`);
  const [brand, line, menu] = boxes;
  expect(brand?.right, 'the logo is before the state').toBeLessThanOrEqual(line?.left ?? 0);
  expect(line?.right, 'the state is before the menu').toBeLessThanOrEqual(menu?.left ?? 0);
  expect(menu?.right).toBeLessThanOrEqual(360);
  expect((menu?.right ?? 0) - (menu?.left ?? 0), 'there is room for the name').toBeGreaterThan(80);
  expect(await cutTexts(person)).toEqual([]);
  expect(await axeFindings(person)).toEqual([]);
  await chromium.server.start();
  chromium.expectNoErrors();
});
