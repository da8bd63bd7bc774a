import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { NotificationSettings, UserView } from '../src/protocol/generated.ts';
import type { NotificationsApi } from '../src/store/notifications-api.ts';
import { NotificationsSection } from '../src/view/settings/notifications/notifications-section.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, renderPage } from './support/page.tsx';
import { restorePush, stubPush } from './support/push.ts';
import { onlineClient } from './support/stub-client.ts';

const ADA = user('Ada');
const OFFERED: NotificationSettings = { push: { public_key: 'server-key' }, subscriptions: [], turn: true, started: true, webhooks: false };
const HERE = { id: 's1', client: 'Firefox, Linux', created_at_ms: 5, language: 'en' } as const;
const PHONE = { id: 's2', client: 'Safari, iPhone', created_at_ms: 9, language: 'de' } as const;

beforeEach(() => localStorage.clear());
afterEach(() => {
  closePage();
  restorePush();
});

/** A server with these settings, which it changes as it is asked to. */
function server(settings: NotificationSettings, choose: NotificationsApi['choose'] = () => Promise.resolve()) {
  const state = { settings };
  const none = (): Promise<never> => Promise.reject(new Error('no route'));
  const api = {
    settings: vi.fn(() => Promise.resolve(state.settings)),
    choose: vi.fn(choose),
    subscribe: vi.fn<NotificationsApi['subscribe']>(() => {
      state.settings = { ...state.settings, subscriptions: [HERE, ...state.settings.subscriptions] };
      return Promise.resolve({ id: HERE.id });
    }),
    unsubscribe: vi.fn<NotificationsApi['unsubscribe']>((id) => {
      state.settings = { ...state.settings, subscriptions: state.settings.subscriptions.filter((one) => one.id !== id) };
      return Promise.resolve();
    }),
    testPush: vi.fn<NotificationsApi['testPush']>(() => Promise.resolve()),
    webhooks: none,
    createWebhook: none,
    changeWebhook: none,
    removeWebhook: none,
    testWebhook: none,
  };
  return api;
}

/** Waits for the answers of the server and of the browser. */
async function settle(): Promise<void> {
  await act(flushTasks);
  await act(flushTasks);
  await act(flushTasks);
}

async function render(api: ReturnType<typeof server>, who: UserView = ADA) {
  const { client } = onlineClient();
  renderPage(client, <NotificationsSection user={who} api={api as unknown as NotificationsApi} />);
  await settle();
  return client;
}

const input = (name: string): HTMLInputElement => byTestId<HTMLInputElement>(`set-${name}`);

async function press(element: HTMLElement): Promise<void> {
  click(element);
  await settle();
}

const result = (): string => byTestId('notifications-result').textContent;

describe('notifications on this device', () => {
  it('are switched on with the permission and the key of the server, tested, and switched off', async () => {
    const push = stubPush({ permission: 'default' });
    const api = server(OFFERED);
    await render(api);
    expect(input('push').checked).toBe(false);
    expect(exists('test-push')).toBe(false);
    await press(input('push'));
    expect(push.manager.subscribe).toHaveBeenCalledExactlyOnceWith({ userVisibleOnly: true, applicationServerKey: 'server-key' });
    expect(api.subscribe).toHaveBeenCalledExactlyOnceWith({ endpoint: 'https://push.example/1', keys: { p256dh: 'p-key', auth: 'a-key' }, language: 'en' });
    expect(input('push').checked).toBe(true);
    expect(result()).toBe('You will be notified on this device.');
    await press(byTestId('test-push'));
    expect(api.testPush).toHaveBeenCalledExactlyOnceWith(HERE.id);
    expect(result()).toBe('A test notification is on its way.');
    await press(input('push'));
    expect(api.unsubscribe).toHaveBeenCalledExactlyOnceWith(HERE.id);
    expect(push.ended).toBe(1);
    expect(input('push').checked).toBe(false);
  });

  it('stay off without the permission', async () => {
    const push = stubPush({ permission: 'default', answer: 'denied' });
    await render(server(OFFERED));
    await press(input('push'));
    expect(push.manager.subscribe).not.toHaveBeenCalled();
    expect(input('push').checked).toBe(false);
    expect(input('push').disabled).toBe(true);
    expect(byTestId('notifications').textContent).toContain('Blocked by the browser');
  });

  it('are not offered by a browser without them, or by such a server', async () => {
    await render(server(OFFERED));
    expect(input('push').disabled).toBe(true);
    expect(byTestId('notifications').textContent).toContain('cannot show notifications of closed pages');
    closePage();
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
    await render(server(OFFERED));
    expect(byTestId('notifications').textContent).toContain('add Quadrex to the home screen');
    closePage();
    const { push: _push, ...none } = OFFERED;
    await render(server(none));
    expect(exists('push-not-offered')).toBe(true);
    expect(exists('set-push')).toBe(false);
  });

  it('are off if the server has lost the subscription, and another key of the server replaces it', async () => {
    const push = stubPush();
    push.endpoint = 'https://push.example/old';
    localStorage.setItem('quadrex.push', JSON.stringify({ id: 'gone', user: ADA.id, endpoint: push.endpoint, language: 'en' }));
    const api = server(OFFERED);
    await render(api);
    expect(input('push').checked).toBe(false);
    push.manager.subscribe.mockImplementationOnce(() => Promise.reject(new DOMException('another key', 'InvalidStateError')));
    await press(input('push'));
    expect(push.ended, 'the old subscription').toBe(1);
    expect(input('push').checked).toBe(true);
  });

  it('show a failure of the browser in words', async () => {
    const push = stubPush();
    push.manager.subscribe.mockImplementation(() => Promise.reject(new DOMException('AbortError', 'AbortError')));
    await render(server(OFFERED));
    await press(input('push'));
    expect(result()).toBe('The browser could not set up notifications. Try again later.');
    expect(input('push').checked).toBe(false);
    expect(input('push').disabled).toBe(false);
  });

  it('are listed for other devices, which can be removed', async () => {
    stubPush();
    localStorage.setItem('quadrex.push', JSON.stringify({ id: HERE.id, user: ADA.id, endpoint: 'x', language: 'en' }));
    const api = server({ ...OFFERED, subscriptions: [HERE, PHONE] });
    await render(api);
    expect([...document.querySelectorAll('[data-testid="push-device"]')].map((one) => one.querySelector('.session-name')?.textContent)).toEqual(['Safari, iPhone']);
    await press(byTestId('remove-device'));
    expect(api.unsubscribe).toHaveBeenCalledExactlyOnceWith(PHONE.id);
    expect(exists('push-device')).toBe(false);
    expect(result()).toBe('Removed: Safari, iPhone.');
    expect(document.activeElement?.id).toBe('notifications-title');
  });
});

it('are not shown by a server of an earlier version', async () => {
  stubPush();
  const api = server(OFFERED);
  api.settings.mockImplementation(() => Promise.reject(new Refusal('not_found', 'there is nothing here')));
  await render(api);
  expect(exists('notifications')).toBe(false);
  closePage();
  api.settings.mockImplementation(() => Promise.reject(new Refusal('internal', 'internal error')));
  await render(api);
  expect(exists('notifications')).toBe(true);
});

describe('the choices', () => {
  it('are stored one by one, without losing the others', async () => {
    stubPush();
    const api = server(OFFERED);
    await render(api);
    await press(input('notify-turn'));
    expect(api.choose).toHaveBeenLastCalledWith({ turn: false, started: true });
    await press(input('notify-started'));
    expect(api.choose).toHaveBeenLastCalledWith({ turn: false, started: false });
    expect(input('notify-turn').checked).toBe(false);
  });

  it('are shown as before if they could not be stored', async () => {
    stubPush();
    const client = await render(server(OFFERED, () => Promise.reject(new Refusal('rate_limited', 'too many requests'))));
    await press(input('notify-turn'));
    expect(input('notify-turn').checked).toBe(true);
    expect(noticesOf(client)).toHaveLength(1);
  });

  it('contain quiet hours in the local time', async () => {
    stubPush();
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-120);
    const api = server(OFFERED);
    await render(api);
    expect(exists('set-quiet-from')).toBe(false);
    await press(input('quiet'));
    const usual = { from_minute: 1320, to_minute: 420, utc_offset_minutes: 120 };
    expect(api.choose).toHaveBeenLastCalledWith({ turn: true, started: true, quiet_hours: usual });
    expect([input('quiet-from').value, input('quiet-to').value]).toEqual(['22:00', '07:00']);
    const setTime = (name: string, value: string): void => {
      input(name).value = value;
      act(() => void input(name).dispatchEvent(new Event('change', { bubbles: true })));
    };
    setTime('quiet-to', '08:30');
    expect(api.choose).toHaveBeenLastCalledWith({ turn: true, started: true, quiet_hours: { ...usual, to_minute: 510 } });
    const { length } = api.choose.mock.calls;
    setTime('quiet-to', '');
    setTime('quiet-to', '22:00');
    expect(api.choose.mock.calls, 'no time and an empty span are not stored').toHaveLength(length);
    await press(input('quiet'));
    expect(api.choose).toHaveBeenLastCalledWith({ turn: true, started: true });
    expect(exists('set-quiet-from')).toBe(false);
  });
});
