import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import type { Person } from '../src/person.ts';

const chromium = new Browsers();

/** Opens a browser with an active service worker and a filled cache. */
async function settle(name: string, locale = 'en'): Promise<Person> {
  const person = await chromium.openBrowser(name, undefined, { serviceWorkers: 'allow', locale });
  await person.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return person;
}

test('the client can be installed', async () => {
  const person = await settle('ada');
  const devtools = await person.page.context().newCDPSession(person.page);
  const { errors, data } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? '{}')).toMatchObject({ name: 'Quadrex', start_url: '/', display: 'standalone' });
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  // Playwright uses incognito windows, which cannot install apps. No other reason is allowed.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
  const icons = await person.page.evaluate(async () => {
    const manifest = (await (await fetch('/manifest.webmanifest')).json()) as { icons: { src: string; type: string }[] };
    return Promise.all(manifest.icons.map(async ({ src, type }) => [type, (await fetch(src)).headers.get('content-type')]));
  });
  expect(icons.length).toBeGreaterThan(3);
  for (const [expected, sent] of icons) expect(sent).toBe(expected);
  chromium.expectNoErrors();
});

test.each(['de', 'es'])('the service worker also starts if the texts arrive after the page: %s', async (locale) => {
  await settle('ada', locale);
  chromium.expectNoErrors();
});

test('without a server the page and all its parts open, and no live data is cached', async () => {
  const person = await settle('ada');
  await chromium.server.kill();
  await person.goTo('/');
  await person.page.waitForSelector('main h1');
  await person.page.waitForSelector('[data-testid="connection"][data-state="connecting"]');
  await person.screenshot('offline');
  await person.page.click('.nav a[href="/rules"]');
  await person.byTestId('lesson-start').waitFor();
  await person.goTo('/settings');
  await person.page.waitForSelector('.settings-page');
  const live = await person.page.evaluate(() => fetch('/api/me').then(() => 'answered', () => 'no line'));
  expect(live).toBe('no line');
  await chromium.server.start();
  await person.page.waitForSelector('[data-testid="connection"][data-state="online"]');
});
