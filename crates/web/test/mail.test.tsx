import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { MailSettings, NotificationSettings, UserView } from '../src/protocol/generated.ts';
import { httpNotificationsApi, type NotificationsApi } from '../src/store/notifications-api.ts';
import { MailPage } from '../src/view/mail/mail-page.tsx';
import { parseAddress } from '../src/view/router.ts';
import { NotificationsSection } from '../src/view/settings/notifications/notifications-section.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, fillField, findElement, renderPage, submitField } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const ADA: UserView = { ...user('Ada'), account: true };
const NONE: MailSettings = { confirmed: false, notifications: true };
const WAITING: MailSettings = { ...NONE, address: 'ada@example.org' };
const CONFIRMED: MailSettings = { ...WAITING, confirmed: true };

afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

/** Waits for the answers of the server. */
async function settle(): Promise<void> {
  await act(flushTasks);
  await act(flushTasks);
}

async function press(testId: string): Promise<void> {
  click(byTestId(testId));
  await settle();
}

describe('the address in the settings', () => {
  /** Renders the settings of a user with this address. `after` is the address after a change. */
  async function renderSettings(mail: MailSettings | undefined, { after = mail, ...routes }: { after?: MailSettings | undefined } & Partial<NotificationsApi> = {}) {
    const settings = (current: MailSettings | undefined): NotificationSettings => ({ subscriptions: [], turn: true, started: true, webhooks: false, ...(current === undefined ? {} : { mail: current }) });
    const api = {
      settings: vi.fn<NotificationsApi['settings']>().mockResolvedValueOnce(settings(mail)).mockResolvedValue(settings(after)),
      setMail: vi.fn<NotificationsApi['setMail']>(() => Promise.resolve()),
      removeMail: vi.fn(() => Promise.resolve()),
      choose: vi.fn(() => Promise.resolve()),
      ...routes,
    };
    const { client } = onlineClient();
    renderPage(client, <NotificationsSection user={ADA} api={api as unknown as NotificationsApi} />);
    await settle();
    return { api, client };
  }

  const result = (): string => byTestId('notifications-result').textContent;
  const shown = (): string => byTestId('mail').textContent;

  it('is offered only by a server with mail', async () => {
    await renderSettings(undefined);
    expect(exists('mail')).toBe(false);
  });

  it('is added, and waits for its confirmation', async () => {
    const { api } = await renderSettings(NONE, { after: WAITING });
    expect(byTestId<HTMLInputElement>('mail-input').autocomplete).toBe('email');
    submitField('mail-input', ' ada@example.org ');
    await settle();
    expect(api.setMail).toHaveBeenCalledExactlyOnceWith({ address: 'ada@example.org', language: 'en' });
    expect(byTestId('mail-pending').textContent).toBe('We sent a link to ada@example.org. Open it within 24 hours to confirm the address.');
    expect(exists('set-mail-notifications'), 'nothing is sent to it yet').toBe(false);
    expect(result()).toBe('The link was sent.');
    expect(document.activeElement?.id, 'the form is gone').toBe('notifications-title');
    await press('mail-again');
    expect(api.setMail).toHaveBeenLastCalledWith({ address: 'ada@example.org', language: 'en', notifications: true });
    expect(result()).toBe('The link was sent again.');
  });

  it('is refused at the field', async () => {
    const { api } = await renderSettings(NONE, { setMail: vi.fn(() => Promise.reject(new Refusal('bad_setting', 'no address'))) });
    submitField('mail-input', 'ada');
    await settle();
    expect(byTestId('wrong-mail').textContent).toBe('This is not a valid email address.');
    expect(document.activeElement).toBe(byTestId('mail-input'));
    api.setMail = vi.fn(() => Promise.reject(new Refusal('rate_limited', 'no', 30)));
    fillField('mail-input', 'ada@example.org');
    expect(byTestId('wrong-mail').textContent).toBe('');
  });

  it('gets notifications, which can be switched off', async () => {
    const { api } = await renderSettings(CONFIRMED);
    expect(byTestId('mail-address').textContent).toBe('Your address is ada@example.org.');
    expect(exists('mail-again')).toBe(false);
    const input = byTestId<HTMLInputElement>('set-mail-notifications');
    expect(input.checked).toBe(true);
    await press('set-mail-notifications');
    expect(api.setMail).toHaveBeenCalledExactlyOnceWith({ address: 'ada@example.org', language: 'en', notifications: false });
    expect(input.checked).toBe(false);
    await press('set-notify-turn');
    expect(exists('mail-address'), 'other choices do not change it').toBe(true);
    expect(byTestId<HTMLInputElement>('set-mail-notifications').checked).toBe(false);
  });

  it('keeps getting notifications if the choice could not be stored', async () => {
    const { client } = await renderSettings(CONFIRMED, { setMail: vi.fn(() => Promise.reject(new Refusal('rate_limited', 'too many'))) });
    await press('set-mail-notifications');
    expect(byTestId<HTMLInputElement>('set-mail-notifications').checked).toBe(true);
    expect(noticesOf(client)).toHaveLength(1);
  });

  it('stays until its replacement is confirmed', async () => {
    const { api } = await renderSettings(CONFIRMED, { after: { ...CONFIRMED, pending: 'zoe@example.org' } });
    await press('mail-replace');
    submitField('mail-input', 'zoe@example.org');
    await settle();
    expect(shown()).toContain('Your address is ada@example.org.');
    expect(shown()).toContain('We sent a link to zoe@example.org.');
    await press('mail-again');
    expect(api.setMail).toHaveBeenLastCalledWith({ address: 'zoe@example.org', language: 'en', notifications: true });
  });

  it('is removed', async () => {
    const { api } = await renderSettings(CONFIRMED);
    await press('mail-remove');
    expect(api.removeMail).toHaveBeenCalledOnce();
    expect(exists('mail-form')).toBe(true);
    expect(result()).toBe('The address was removed.');
    expect(document.activeElement?.id).toBe('notifications-title');
  });
});

describe('a link in a mail', () => {
  async function open(action: 'confirm' | 'unsubscribe', hash: string, api: Partial<NotificationsApi>): Promise<void> {
    history.replaceState(null, '', `/mail/${action}${hash}`);
    renderPage(onlineClient().client, <MailPage action={action} api={api as NotificationsApi} />);
    await settle();
  }

  const isGood = (): string | null => byTestId('mail-result').getAttribute('data-good');

  it('has an address of its own', () => {
    expect(parseAddress(new URL('/mail/confirm#s', location.origin))).toEqual({ kind: 'mail', action: 'confirm' });
    expect(parseAddress(new URL('/mail/unsubscribe/', location.origin))).toEqual({ kind: 'mail', action: 'unsubscribe' });
    expect(parseAddress(new URL('/mail/other', location.origin))).toEqual({ kind: 'unknown' });
  });

  it('confirms an address, and its secret leaves the address bar', async () => {
    const confirmMail = vi.fn(() => Promise.resolve());
    await open('confirm', '#s3cret', { confirmMail });
    expect(confirmMail).toHaveBeenCalledExactlyOnceWith('s3cret');
    expect(location.hash).toBe('');
    expect(byTestId('mail-result').textContent).toBe('Your address is confirmed.');
    expect(isGood()).toBe('true');
  });

  it.each(['confirm', 'unsubscribe'] as const)('that is not valid any more says so: %s', async (action) => {
    const refuse = vi.fn(() => Promise.reject(new Refusal('bad_mail_link', 'this link was used')));
    await open(action, '#old', { confirmMail: refuse, unsubscribeMail: refuse });
    if (action === 'unsubscribe') await press('mail-unsubscribe');
    expect(refuse).toHaveBeenCalledOnce();
    expect(isGood()).toBe('false');
    closePage();
    await open(action, '', { confirmMail: refuse, unsubscribeMail: refuse });
    expect(isGood(), 'without a secret').toBe('false');
    expect(refuse).toHaveBeenCalledOnce();
  });

  it('is tried again after a failure', async () => {
    const confirmMail = vi.fn().mockRejectedValueOnce(new TypeError('no network')).mockResolvedValue(undefined);
    await open('confirm', '#s', { confirmMail });
    expect(exists('mail-result')).toBe(false);
    click(findElement('main button'));
    await settle();
    expect(isGood()).toBe('true');
    expect(confirmMail).toHaveBeenLastCalledWith('s');
  });

  it('ends the notifications only after a press, because mail programs open links', async () => {
    const unsubscribeMail = vi.fn().mockRejectedValueOnce(new Refusal('internal', 'internal error')).mockResolvedValue(undefined);
    await open('unsubscribe', '#s', { unsubscribeMail });
    expect(unsubscribeMail).not.toHaveBeenCalled();
    await press('mail-unsubscribe');
    expect(findElement('[role="alert"]').textContent).toContain('internal error');
    await press('mail-unsubscribe');
    expect(unsubscribeMail).toHaveBeenLastCalledWith('s');
    expect(byTestId('mail-result').textContent).toBe('You will get no more notifications by email.');
  });

  it('may be pasted into the address of the open page', async () => {
    const confirmMail = vi.fn(() => Promise.resolve());
    await open('confirm', '', { confirmMail });
    history.replaceState(null, '', '/mail/confirm#pasted');
    act(() => void dispatchEvent(new Event('hashchange')));
    await settle();
    expect(confirmMail).toHaveBeenCalledExactlyOnceWith('pasted');
    expect(isGood()).toBe('true');
    closePage();
    await open('unsubscribe', '#s', { unsubscribeMail: () => Promise.resolve() });
    await press('mail-unsubscribe');
    history.replaceState(null, '', '/mail/unsubscribe#other');
    act(() => void dispatchEvent(new Event('hashchange')));
    expect(exists('mail-unsubscribe'), 'the other link asks as well').toBe(true);
  });
});

it('the routes about mail', async () => {
  const requests: string[] = [];
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    requests.push(`${init.method} ${path} ${typeof init.body === 'string' ? init.body : ''}`);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  await httpNotificationsApi.setMail({ address: 'a@b.org', language: 'de' });
  await httpNotificationsApi.removeMail();
  await httpNotificationsApi.confirmMail('s');
  await httpNotificationsApi.unsubscribeMail('s');
  expect(requests).toEqual(['PUT /api/me/mail {"address":"a@b.org","language":"de"}', 'DELETE /api/me/mail ', 'POST /api/mail/confirm {"secret":"s"}', 'POST /api/mail/unsubscribe/s ']);
});
