import { expect, test } from 'vitest';
import { signIn, signUp } from '../src/accounts.ts';
import { Browsers } from '../src/browsers.ts';
import { expectGoodPageAtAllSizes } from '../src/good-page.ts';
import type { BrowserOptions, Person } from '../src/person.ts';
import { LANGUAGES_WITH_SIZES, SIZES } from '../src/sizes.ts';

const chromium = new Browsers();

const NOTIFIED: BrowserOptions = { serviceWorkers: 'allow', permissions: ['notifications'] };

/**
 * Replaces the push service, which no test can reach: subscriptions have real keys and stay for the
 * tab.
 */
function stubPushService(): void {
  const base64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const of = (json: { endpoint: string }): object => ({
    ...json,
    toJSON: () => json,
    unsubscribe: () => {
      sessionStorage.removeItem('push');
      return Promise.resolve(true);
    },
  });
  PushManager.prototype.subscribe = async () => {
    const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
    const keys = { p256dh: base64(await crypto.subtle.exportKey('raw', publicKey)), auth: base64(crypto.getRandomValues(new Uint8Array(16)).buffer) };
    const json = { endpoint: `https://push.example.org/${crypto.randomUUID()}`, expirationTime: null, keys };
    sessionStorage.setItem('push', JSON.stringify(json));
    return of(json) as PushSubscription;
  };
  PushManager.prototype.getSubscription = () => {
    const stored = sessionStorage.getItem('push');
    return Promise.resolve(stored === null ? null : (of(JSON.parse(stored) as { endpoint: string }) as PushSubscription));
  };
}

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

test.each(LANGUAGES_WITH_SIZES)('a player chooses notifications and webhooks: %s, on a %s', async (locale, size) => {
  const viewport = SIZES[size];
  const options = { viewport, locale, reducedMotion: 'reduce' as const, ...NOTIFIED, before: stubPushService } satisfies BrowserOptions;
  const name = `Nora ${size} ${locale}`;
  const person = await chromium.openBrowser('person', undefined, options);
  await waitForWorker(person);
  await signUp(person, name);
  await person.goTo('/settings');
  const section = person.byTestId('notifications');
  await person.page.waitForSelector('[data-testid="set-push"]:enabled');
  await section.scrollIntoViewIfNeeded();
  await expectGoodPageAtAllSizes(person, `notifications-off-${locale}`);
  await person.byTestId('set-push').click();
  await person.byTestId('test-push').waitFor();
  await person.byTestId('test-push').click();
  await person.byTestId('set-notify-started').click();
  await person.byTestId('set-quiet').click();
  await person.byTestId('set-quiet-from').waitFor();
  await person.byTestId('set-quiet-from').fill('21:30');
  await person.byTestId('set-quiet-from').blur();

  const other = await chromium.openBrowser('other', undefined, options);
  await waitForWorker(other);
  await signIn(other, name);
  await other.goTo('/settings');
  await other.byTestId('push-device').waitFor();
  expect(await other.byTestId('set-push').isChecked(), 'another browser has its own switch').toBe(false);
  expect(await other.byTestId('set-notify-started').isChecked()).toBe(false);
  expect(await other.byTestId('set-notify-turn').isChecked()).toBe(true);
  expect(await other.byTestId('set-quiet-from').inputValue()).toBe('21:30');
  expect(await other.byTestId('set-quiet-to').inputValue()).toBe('07:00');
  await other.byTestId('notifications').scrollIntoViewIfNeeded();
  await expectGoodPageAtAllSizes(other, `notifications-${locale}`);
  await other.byTestId('remove-device').click();
  await other.byTestId('push-device').waitFor({ state: 'detached' });
  await person.page.reload();
  await person.page.waitForSelector('[data-testid="set-push"]:enabled');
  expect(await person.byTestId('set-push').isChecked(), 'the server does not send to it any more').toBe(false);

  await person.byTestId('new-webhook').click();
  await person.byTestId('webhook-url-input').fill('https://127.0.0.1/hook');
  await person.byTestId('webhook-submit').click();
  await person.byTestId('wrong-webhook-url').filter({ hasText: 'https://' }).waitFor();
  await expectGoodPageAtAllSizes(person, `webhook-wrong-${locale}`);
  await person.byTestId('webhook-url-input').fill('https://hooks.example.org/1/secret');
  await person.byTestId('webhook-private').click();
  await person.byTestId('webhook-submit').click();
  await person.byTestId('webhook-secret').waitFor();
  expect((await person.byTestId('webhook-secret').inputValue()).length).toBeGreaterThan(20);
  await expectGoodPageAtAllSizes(person, `webhook-secret-${locale}`);
  await person.page.keyboard.press('Escape');
  const row = person.byTestId('webhook').filter({ hasText: 'hooks.example.org' });
  await row.getByTestId('test-webhook').click();
  await person.byTestId('webhooks-result').filter({ hasText: ':' }).waitFor();
  await row.scrollIntoViewIfNeeded();
  await expectGoodPageAtAllSizes(person, `webhooks-${locale}`);
  await row.getByTestId('remove-webhook').click();
  await row.waitFor({ state: 'detached' });
  chromium.expectNoErrors();
});
