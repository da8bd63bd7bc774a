import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notificationOf, renewSubscription } from '../src/offline/push-messages.ts';
import { usesNotifications } from '../src/store/notification-keys.ts';
import type { NotificationSettings } from '../src/protocol/generated.ts';
import { browserPersistence } from '../src/store/persistence.ts';
import { Push } from '../src/store/push.ts';
import { formatMinute, keepQuietHours, parseMinute, rememberOffset } from '../src/store/quiet-hours.ts';
import { restorePush, stubPush } from './support/push.ts';

const SETTINGS: NotificationSettings = { push: { public_key: 'server-key' }, subscriptions: [], turn: true, started: false, webhooks: false };

beforeEach(() => localStorage.clear());
afterEach(() => {
  restorePush();
});

describe('the subscription of a browser', () => {
  async function subscribed() {
    const fake = stubPush();
    const api = {
      settings: vi.fn(() => Promise.resolve(SETTINGS)),
      subscribe: vi.fn(() => Promise.resolve({ id: `s${api.subscribe.mock.calls.length}` })),
      unsubscribe: vi.fn(() => Promise.resolve()),
    };
    const push = new Push(api, browserPersistence(), () => Promise.resolve({ pushManager: fake.manager as unknown as PushManager }));
    await push.subscribe('server-key', 'ada', 'en');
    return { fake, api, push };
  }

  it('stays as it is while nothing changes', async () => {
    const { fake, api, push } = await subscribed();
    await push.keep('ada', 'en');
    expect(api.subscribe).toHaveBeenCalledTimes(1);
    expect(fake.manager.subscribe).toHaveBeenCalledTimes(1);
    expect(push.known()?.id).toBe('s1');
    expect(await push.state([{ id: 's1' }])).toBe('on');
  });

  it('is stored again in another language, or with another endpoint', async () => {
    const { fake, api, push } = await subscribed();
    await push.keep('ada', 'de');
    expect(api.subscribe).toHaveBeenLastCalledWith(expect.objectContaining({ language: 'de' }));
    fake.endpoint = 'https://push.example/moved';
    await push.keep('ada', 'de');
    expect(api.subscribe).toHaveBeenLastCalledWith(expect.objectContaining({ endpoint: 'https://push.example/moved' }));
    expect(push.known()?.id).toBe('s3');
  });

  it('is renewed if the browser has ended it, but not without the permission', async () => {
    const { fake, api, push } = await subscribed();
    fake.endpoint = null;
    await push.keep('ada', 'en');
    expect(fake.manager.subscribe).toHaveBeenCalledTimes(2);
    expect(api.subscribe).toHaveBeenCalledTimes(2);
    fake.endpoint = null;
    vi.stubGlobal('Notification', { permission: 'denied' });
    await push.keep('ada', 'en');
    expect(fake.manager.subscribe).toHaveBeenCalledTimes(2);
  });

  it('ends when another user uses the browser', async () => {
    const { fake, api, push } = await subscribed();
    expect(usesNotifications(browserPersistence())).toBe(true);
    await push.keep('ben', 'en');
    expect(fake.ended).toBe(1);
    expect(push.known()).toBeNull();
    expect(api.subscribe).toHaveBeenCalledTimes(1);
    expect(usesNotifications(browserPersistence())).toBe(false);
  });
});

describe('quiet hours', () => {
  it('move with the local time', async () => {
    const quiet = { from_minute: 60, to_minute: 120, utc_offset_minutes: 60 };
    const api = { settings: vi.fn(() => Promise.resolve({ ...SETTINGS, quiet_hours: quiet })), choose: vi.fn(() => Promise.resolve()) };
    const persistence = browserPersistence();
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-60);
    await keepQuietHours(api, persistence);
    rememberOffset(persistence, quiet);
    await keepQuietHours(api, persistence);
    expect(api.settings, 'nothing has changed').not.toHaveBeenCalled();
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-120);
    await keepQuietHours(api, persistence);
    expect(api.choose).toHaveBeenCalledExactlyOnceWith({ turn: true, started: false, quiet_hours: { ...quiet, utc_offset_minutes: 120 } });
    await keepQuietHours(api, persistence);
    expect(api.choose).toHaveBeenCalledTimes(1);
  });

  it('are written as times of day', () => {
    expect([0, 425, 1439].map(formatMinute)).toEqual(['00:00', '07:05', '23:59']);
    expect(['00:00', '07:05', '23:59', ''].map(parseMinute)).toEqual([0, 425, 1439, null]);
  });
});

describe('a message from the server', () => {
  const message = { kind: 'turn', title: 'Your move', body: 'Classic with Ben', url: '/t/7', tag: '7' };
  const page = (url: string, visibilityState: DocumentVisibilityState) => ({ url: `https://quadrex.example${url}`, visibilityState });

  it('is shown with its text, and leads to its page', () => {
    expect(notificationOf(message, [])).toEqual({
      title: 'Your move',
      options: { body: 'Classic with Ben', tag: '7', renotify: true, icon: '/icon-192.png', data: { path: '/t/7' } },
    });
  });

  it('is not shown to a user who sees its page, except for a test', () => {
    expect(notificationOf(message, [page('/t/7', 'visible')])).toBeNull();
    expect(notificationOf(message, [page('/t/7', 'hidden'), page('/', 'visible')])).not.toBeNull();
    expect(notificationOf({ ...message, kind: 'test' }, [page('/t/7', 'visible')])).not.toBeNull();
  });

  it.each([null, 'text', {}, { ...message, title: 7 }, { ...message, url: 'https://evil.example' }, { ...message, url: '//evil.example' }])('that is malformed is not shown: %j', (data) => {
    expect(notificationOf(data, [])).toBeNull();
  });

  it('keeps arriving after the browser has replaced its subscription', async () => {
    const { manager } = stubPush();
    const sent: [string, RequestInit | undefined][] = [];
    const subscriptions = [
      { language: 'es', created_at_ms: 1 },
      { language: 'de', created_at_ms: 2 },
    ];
    const send = (path: unknown, init?: RequestInit): Promise<Response> => {
      sent.push([String(path), init]);
      return Promise.resolve(Response.json({ ...SETTINGS, subscriptions }));
    };
    await renewSubscription({}, manager as unknown as PushManager, send as typeof fetch);
    expect(manager.subscribe).toHaveBeenCalledExactlyOnceWith({ userVisibleOnly: true, applicationServerKey: 'server-key' });
    expect(sent.map(([path]) => path)).toEqual(['/api/me/notifications', '/api/me/push-subscriptions']);
    expect(JSON.parse(String(sent[1]?.[1]?.body))).toEqual({ endpoint: 'https://push.example/1', keys: { p256dh: 'p-key', auth: 'a-key' }, language: 'de' });
  });
});
