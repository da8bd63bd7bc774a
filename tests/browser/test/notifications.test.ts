import { expect, test } from 'vitest';
import { Browsers } from '../src/browsers.ts';
import type { BrowserOptions, Person } from '../src/person.ts';

const chromium = new Browsers();

const NOTIFIED: BrowserOptions = { serviceWorkers: 'allow', permissions: ['notifications'] };

/** Waits until the service worker of a page can receive messages. */
async function waitForWorker(person: Person): Promise<void> {
  await person.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Returns a function that delivers a message to the service worker, like a push service. */
async function pushServiceOf(person: Person): Promise<(message: object | string) => Promise<void>> {
  const devtools = await person.page.context().newCDPSession(person.page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration !== undefined) resolve(registration.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  return async (message) => {
    const data = typeof message === 'string' ? message : JSON.stringify(message);
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: chromium.site.url, registrationId, data });
  };
}

/** Returns the displayed notifications: their titles, texts and paths. */
function displayed(person: Person): Promise<string[]> {
  return person.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const all = await registration.getNotifications();
    return all.map(({ title, body, data }) => `${title}: ${body} (${(data as { path: string }).path})`).toSorted();
  });
}

test('messages from the server are shown while no page has their match, and a newer one replaces an older one', async () => {
  const person = await chromium.openBrowser('ada', undefined, NOTIFIED);
  await waitForWorker(person);
  const deliver = await pushServiceOf(person);
  const id = '0192f0c1-2345-7000-8000-000000000001';
  const message = { kind: 'turn', title: 'Your move', body: 'Classic with Ben', url: `/t/${id}`, tag: id };
  await deliver('no message');
  await deliver(message);
  await expect.poll(() => displayed(person)).toEqual([`Your move: Classic with Ben (/t/${id})`]);
  await deliver({ ...message, body: 'Classic with Ben, 2 h left' });
  await expect.poll(() => displayed(person)).toEqual([`Your move: Classic with Ben, 2 h left (/t/${id})`]);
  // The person sees this page now. The second message shows that the first one has been handled.
  await person.goTo(`/t/${id}`);
  await person.byTestId('missing').waitFor();
  await expect.poll(() => displayed(person), { message: 'a notification closes when its page is open' }).toEqual([]);
  await deliver({ ...message, tag: 'seen', body: 'seen' });
  await deliver({ ...message, tag: 'other', title: 'Your match has started', url: '/t/other', kind: 'started' });
  await expect.poll(() => displayed(person)).toContain('Your match has started: Classic with Ben (/t/other)');
  expect((await displayed(person)).filter((shown) => shown.includes('seen'))).toEqual([]);
  chromium.expectNoErrors();
});
