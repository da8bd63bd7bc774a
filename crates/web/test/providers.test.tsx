import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { SignIns, UserView } from '../src/protocol/generated.ts';
import type { Api } from '../src/store/api.ts';
import { httpSignInApi, type SignInApi } from '../src/store/sign-in-api.ts';
import { takeSignInFailure } from '../src/store/sign-in-failure.ts';
import { text } from '../src/text/index.ts';
import { CompleteSignUpPage } from '../src/view/account/complete-sign-up-page.tsx';
import { SignInPage } from '../src/view/account/sign-in-page.tsx';
import { SignUpPage } from '../src/view/account/sign-up-page.tsx';
import { Notices } from '../src/view/notices.tsx';
import { parseAddress } from '../src/view/router.ts';
import { AccountSettings } from '../src/view/settings/account-settings.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, findElement, renderPage, submitField } from './support/page.tsx';
import { signInApi } from './support/sign-in.ts';
import { onlineClient } from './support/stub-client.ts';

// This section has its own routes and tests.
vi.mock('../src/view/settings/notifications/notifications-section.tsx', () => ({ NotificationsSection: () => null }));

const ADA = user('Ada');
const ACCOUNT: UserView = { ...ADA, account: true };
const LICHESS = { id: 'lichess', name: 'Lichess' };
const CONNECTED = { ...LICHESS, user_name: 'ada_l', connected_at_ms: 0 };
const OPTIONS = { password_reset: false, providers: [LICHESS, { id: 'club', name: 'Chess Club' }] };
const offered = { options: () => Promise.resolve(OPTIONS) };

let opened: ReturnType<typeof vi.fn>;

beforeEach(() => {
  localStorage.clear();
  opened = vi.spyOn(location, 'assign').mockImplementation(() => {}) as unknown as ReturnType<typeof vi.fn>;
});
afterEach(() => {
  closePage();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

async function settle(): Promise<void> {
  await act(flushTasks);
  await act(flushTasks);
}

async function press(testId: string): Promise<void> {
  click(byTestId(testId));
  await settle();
}

describe.each([
  ['signing in', SignInPage],
  ['signing up', SignUpPage],
])('%s with an account of another service', (_, AccountPage) => {
  it('is offered if the server offers it', async () => {
    renderPage(onlineClient().client, <AccountPage api={signInApi()} />);
    await settle();
    expect(exists('providers')).toBe(false);
    closePage();
    renderPage(onlineClient().client, <AccountPage api={signInApi(offered)} />);
    await settle();
    expect([...document.querySelectorAll('[data-testid="providers"] button')].map(({ textContent }) => textContent)).toEqual(['Continue with Lichess', 'Continue with Chess Club']);
  });

  it('opens the page of the service', async () => {
    const startProvider = vi.fn<SignInApi['startProvider']>(() => Promise.resolve({ url: 'https://lichess.example/oauth' }));
    renderPage(onlineClient().client, <AccountPage api={signInApi({ ...offered, startProvider })} />);
    await settle();
    await press('continue-with-lichess');
    expect(startProvider).toHaveBeenCalledExactlyOnceWith('lichess', { return_to: '/' });
    expect(opened).toHaveBeenCalledExactlyOnceWith('https://lichess.example/oauth');
  });

  it('shows a refusal', async () => {
    const { client } = onlineClient();
    renderPage(client, <AccountPage api={signInApi({ ...offered, startProvider: () => Promise.reject(new Refusal('rate_limited', 'too many')) })} />);
    await settle();
    await press('continue-with-lichess');
    expect(noticesOf(client)).toHaveLength(1);
    expect(opened).not.toHaveBeenCalled();
    expect(byTestId<HTMLButtonElement>('continue-with-lichess').disabled).toBe(false);
  });
});

it('the options may be unknown, and then the other ways stay', async () => {
  renderPage(onlineClient().client, <SignInPage api={signInApi({ options: () => Promise.reject(new TypeError('no network')) })} />);
  await settle();
  expect([exists('sign-in'), exists('with-key'), exists('providers')]).toEqual([true, true, false]);
});

describe('the name of the new account', () => {
  const signUp = { providerSignUp: () => Promise.resolve({ provider: 'lichess', name: 'ada_l' }) };

  async function open(routes: Partial<SignInApi>) {
    history.replaceState(null, '', '/sign-in/complete');
    const online = onlineClient();
    renderPage(online.client, <CompleteSignUpPage api={signInApi({ ...offered, ...routes })} />);
    await settle();
    return online;
  }

  it('has a page, where a name is suggested', async () => {
    expect(parseAddress(new URL('/sign-in/complete', location.origin))).toEqual({ kind: 'complete-sign-up' });
    const completeSignUp = vi.fn(() => Promise.resolve({ ...ACCOUNT, name: 'Ada L' }));
    const { client, socket, current } = await open({ ...signUp, completeSignUp });
    expect(byTestId<HTMLInputElement>('username-input').value).toBe('ada_l');
    const page = findElement('main').textContent;
    expect(page).toContain('you sign in with Lichess.');
    expect(page).toContain('You keep all tables and matches of Ada.');
    expect(page).toContain('connect Lichess in the settings');
    expect(findElement('main a[href="/sign-in"]').textContent).toBe('Sign in');
    submitField('username-input', ' Ada   L ');
    await settle();
    expect(completeSignUp).toHaveBeenCalledExactlyOnceWith('Ada L');
    expect(client.user.value).toEqual({ ...ACCOUNT, name: 'Ada L' });
    expect(current(), 'the same user').toBe(socket);
    expect(location.pathname).toBe('/');
  });

  it.each([
    ['name_taken', 'This name belongs to another player. Choose another one.'],
    ['bad_setting', 'This name is not available. Try another one.'],
  ] as const)('shows %s', async (code, sentence) => {
    const { client } = await open({ ...signUp, completeSignUp: () => Promise.reject(new Refusal(code, 'no')) });
    submitField('username-input', 'Zoë');
    await settle();
    expect(byTestId('wrong-username').textContent).toBe(sentence);
    expect(document.activeElement).toBe(byTestId('username-input'));
    expect(client.user.value).toEqual(ADA);
  });

  it('is not asked for after the sign-in has expired', async () => {
    await open({ providerSignUp: () => Promise.reject(new Refusal('not_found', 'no sign-in')) });
    expect(byTestId('sign-up-expired').textContent).toBe('This sign-in has expired. Start again.');
    expect(exists('complete-sign-up')).toBe(false);
  });

  it('is not accepted after the sign-in has expired', async () => {
    await open({ ...signUp, completeSignUp: () => Promise.reject(new Refusal('not_found', 'no sign-in')) });
    submitField('username-input', 'Zoë');
    await settle();
    expect(exists('sign-up-expired')).toBe(true);
    expect(exists('complete-sign-up')).toBe(false);
  });

  it('can be asked for again after a failure', async () => {
    await open({ providerSignUp: vi.fn().mockRejectedValueOnce(new TypeError('no network')).mockImplementation(signUp.providerSignUp) });
    expect(exists('sign-up-expired')).toBe(false);
    click(findElement('main button'));
    await settle();
    expect(exists('complete-sign-up')).toBe(true);
  });
});

describe('the settings of an account', () => {
  async function render(signIns: SignIns, routes: Partial<SignInApi> = {}, api: Partial<Api> = {}) {
    const online = onlineClient({
      me: () => Promise.resolve({ user: ACCOUNT, tables: [] }),
      sessions: () => Promise.resolve({ sessions: [] }),
      tokens: () => Promise.resolve({ tokens: [] }),
      ...api,
    });
    online.client.user.value = ACCOUNT;
    renderPage(online.client, <AccountSettings signInApi={signInApi({ ...offered, signIns: () => Promise.resolve(signIns), ...routes })} />);
    await settle();
    return online;
  }

  const rows = (): string[] => [...document.querySelectorAll('[data-testid="sign-ins"] li .session-text')].map(({ textContent }) => textContent);
  const result = (): string => byTestId('sign-ins-result').textContent;

  it('list the services, and connect one', async () => {
    const startProvider = vi.fn<SignInApi['startProvider']>(() => Promise.resolve({ url: 'https://lichess.example/oauth' }));
    await render({ password: true, providers: [] }, { startProvider });
    expect(rows()).toEqual(['Chess ClubNot connected', 'LichessNot connected']);
    await press('connect-lichess');
    expect(startProvider).toHaveBeenCalledExactlyOnceWith('lichess', { return_to: '/settings', connect: true });
    expect(opened).toHaveBeenCalledExactlyOnceWith('https://lichess.example/oauth');
  });

  it('disconnect one', async () => {
    const disconnect = vi.fn(() => Promise.resolve());
    await render({ password: true, providers: [CONNECTED] }, { disconnect });
    expect(rows()[1]).toBe(`LichessConnected as ada_l since ${text.day(0)}`);
    await press('disconnect-lichess');
    expect(disconnect).toHaveBeenCalledExactlyOnceWith('lichess');
    expect(rows()[1]).toBe('LichessNot connected');
    expect(result()).toBe('You no longer sign in with Lichess.');
    expect(document.activeElement?.id).toBe('sign-ins-title');
  });

  it('keep the only way to sign in', async () => {
    await render({ password: false, providers: [CONNECTED] }, { disconnect: () => Promise.reject(new Refusal('last_sign_in', 'the only one')) });
    await press('disconnect-lichess');
    expect(result()).toBe('Without it you could no longer sign in. Set a password first.');
    expect(byTestId('provider-lichess').dataset['connected']).toBe('true');
  });

  it('show a connected service that the server does not offer any more, and nothing without services', async () => {
    await render({ password: true, providers: [{ ...CONNECTED, user_name: '' }] }, { options: () => Promise.resolve({ password_reset: false, providers: [] }) });
    expect(rows()).toEqual([`LichessConnected since ${text.day(0)}`]);
    closePage();
    await render({ password: true, providers: [] }, { options: () => Promise.resolve({ password_reset: false, providers: [] }) });
    expect(exists('sign-ins')).toBe(false);
  });

  it('set the first password without an earlier one', async () => {
    const changePassword = vi.fn<Api['changePassword']>().mockRejectedValueOnce(new Refusal('invalid_password', 'too short')).mockRejectedValueOnce(new Refusal('busy', 'busy')).mockResolvedValue({ ended: 0 });
    await render({ password: false, providers: [CONNECTED] }, {}, { changePassword });
    expect(byTestId('change-password').textContent).toBe('Set a password');
    await press('change-password');
    expect(exists('current-password-input')).toBe(false);
    submitField('new-password-input', 'short');
    await settle();
    expect(byTestId('wrong-new-password').textContent).toContain('8 to 128 characters');
    submitField('new-password-input', 'correct horse');
    await settle();
    expect(byTestId('wrong-new-password').textContent).toBe('The server is busy. Try again in a moment.');
    submitField('new-password-input', 'correct horse');
    await settle();
    expect(changePassword).toHaveBeenLastCalledWith({ new: 'correct horse' });
    expect(byTestId('account-result').textContent).toBe('You can sign in with your name and your password now.');
    expect(byTestId('change-password').textContent).toBe('Change password');
    await press('change-password');
    expect(exists('current-password-input')).toBe(true);
  });

  it('delete an account without a password', async () => {
    const deleteUser = vi.fn<Api['deleteUser']>(() => Promise.resolve());
    await render({ password: false, providers: [CONNECTED] }, {}, { deleteUser });
    await press('delete-user');
    expect(exists('deletion-password-input')).toBe(false);
    await press('deletion-confirm');
    expect(deleteUser).toHaveBeenCalledExactlyOnceWith(undefined);
  });

  it('ask for the password of other accounts', async () => {
    await render({ password: true, providers: [] });
    await press('delete-user');
    expect(exists('deletion-password-input')).toBe(true);
  });
});

describe('a failed sign-in', () => {
  it.each([
    ['provider_refused', 'You did not allow the sign-in.'],
    ['already_connected', 'That account is connected with another account here.'],
    ['other_connected', 'You sign in with another account of this service already. Disconnect it first.'],
    ['another', 'The sign-in did not work. Try again later.'],
  ])('is read from the address and shown: %s', (code, sentence) => {
    history.replaceState(null, '', `/settings?x=1#sign-in-failed=${code}`);
    expect(takeSignInFailure(location, history)).toBe(code);
    expect(location.href).toBe(`${location.origin}/settings?x=1`);
    const { client } = onlineClient();
    client.notify({ kind: 'sign_in_failed', code }, null);
    renderPage(client, <Notices />);
    expect(findElement('.notice-text').textContent).toBe(sentence);
  });

  it('is not in other addresses, which stay', () => {
    history.replaceState(null, '', '/settings#recovery-key');
    expect(takeSignInFailure(location, history)).toBeNull();
    expect(location.hash).toBe('#recovery-key');
  });
});

describe('the routes', () => {
  it('of other services', async () => {
    const requests: string[] = [];
    vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
      requests.push(`${init.method ?? 'GET'} ${path} ${typeof init.body === 'string' ? init.body : ''}`);
      return Promise.resolve(new Response('{}'));
    });
    await httpSignInApi.startProvider('lichess', { return_to: '/', connect: true });
    await httpSignInApi.providerSignUp();
    await httpSignInApi.completeSignUp('Ada');
    await httpSignInApi.signIns();
    await httpSignInApi.disconnect('lichess');
    expect(requests).toEqual([
      'POST /api/providers/lichess/start {"return_to":"/","connect":true}',
      'GET /api/me/provider-sign-up ',
      'POST /api/me/provider-sign-up {"name":"Ada"}',
      'GET /api/me/sign-ins ',
      'DELETE /api/me/sign-ins/lichess ',
    ]);
  });

  it('of a server of an earlier version know only passwords', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"code":"not_found","message":"there is nothing here"}', { status: 404 })));
    expect(await httpSignInApi.signIns()).toEqual({ password: true, providers: [] });
  });
});
