import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Me, UserPage as UserPageView, UserView } from '../src/protocol/generated.ts';
import { httpApi, type Api } from '../src/store/api.ts';
import { SignInPage } from '../src/view/account/sign-in-page.tsx';
import { SignUpPage } from '../src/view/account/sign-up-page.tsx';
import { Menu } from '../src/view/menu.tsx';
import { RenameButton } from '../src/view/name-form.tsx';
import { SignedOutDialog } from '../src/view/signed-out-dialog.tsx';
import { AccountSettings } from '../src/view/settings/account-settings.tsx';
import { UserPage } from '../src/view/user/user-page.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, fillField, findElement, renderPage, submitField } from './support/page.tsx';
import { signInApi } from './support/sign-in.ts';
import { onlineClient } from './support/stub-client.ts';

// This section has its own routes and tests.
vi.mock('../src/view/settings/notifications/notifications-section.tsx', () => ({ NotificationsSection: () => null }));

const ADA = user('Ada');
const ACCOUNT: UserView = { ...user('Zoë'), account: true };

beforeEach(() => localStorage.clear());
afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

const meOf = (more: Partial<Me> = {}) => () => Promise.resolve({ user: ADA, tables: [], ...more });
const played: UserPageView['standings'] = [{ variant: 'classic', played: 1, won: 1, drawn: 0, places: [1, 0] }] as unknown as UserPageView['standings'];
const pageOf = (standings: UserPageView['standings'] = [], shown: UserView = ADA) => () => Promise.resolve({ user: shown, created_at_ms: 0, standings });

const input = (name: string): HTMLInputElement => byTestId<HTMLInputElement>(`${name}-input`);

/** Submits the form of a field as it is. */
async function submit(field: string): Promise<void> {
  submitField(`${field}-input`, input(field).value);
  await act(flushTasks);
}

describe('signing in', () => {
  /** Renders the page for the guest Ada. */
  async function renderSignIn(api: Partial<Api>) {
    history.replaceState(null, '', '/sign-in');
    const online = onlineClient({ me: meOf(), userPage: pageOf(), ...api });
    renderPage(online.client, <SignInPage api={signInApi()} />);
    await act(flushTasks);
    return online;
  }

  async function typeCredentials(): Promise<void> {
    fillField('username-input', ' Zoë ');
    fillField('password-input', ' my secret ');
    await submit('password');
  }

  it('with a name and a password becomes that user and opens the lobby', async () => {
    const signIn = vi.fn(() => Promise.resolve({ user: ACCOUNT, previous_user: ADA }));
    const { client, socket, current } = await renderSignIn({ signIn });
    await typeCredentials();
    expect(signIn, 'spaces belong to a password').toHaveBeenCalledExactlyOnceWith({ name: 'Zoë', password: ' my secret ' });
    expect(client.user.value).toEqual(ACCOUNT);
    expect(client.previousUser.value).toEqual(ADA);
    expect(current()).not.toBe(socket);
    expect(location.pathname).toBe('/');
  });

  it('works with password managers', async () => {
    await renderSignIn({});
    expect([input('username').autocomplete, input('password').autocomplete, input('password').type]).toEqual(['username', 'current-password', 'password']);
    click(byTestId('show-password'));
    expect(input('password').type).toBe('text');
    expect(byTestId('show-password').getAttribute('aria-pressed')).toBe('true');
  });

  it.each([
    ['wrong_credentials', null, 'The name or the password is wrong.'],
    ['rate_limited', 42, 'Too many attempts. Try again in 42 s.'],
    ['busy', null, 'The server is busy. Try again in a moment.'],
  ] as const)('shows the refusal %s at the password, which gets the focus', async (code, retryAfter_s, sentence) => {
    const { client } = await renderSignIn({ signIn: () => Promise.reject(new Refusal(code, 'no', retryAfter_s)) });
    await typeCredentials();
    expect(byTestId('wrong-password').textContent).toBe(sentence);
    expect(input('password').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(input('password'));
    expect(client.user.value).toEqual(ADA);
    fillField('password-input', 'another');
    expect(byTestId('wrong-password').textContent).toBe('');
  });

  it('with a recovery key needs no name', async () => {
    const signIn = vi.fn().mockRejectedValueOnce(new Refusal('wrong_credentials', 'no')).mockResolvedValue({ user: user('Ben') });
    const { client } = await renderSignIn({ signIn });
    fillField('recovery-key-input', ' abcd-efgh ');
    await submit('recovery-key');
    expect(signIn).toHaveBeenLastCalledWith({ recovery_key: 'abcd-efgh' });
    expect(byTestId('wrong-recovery-key').textContent).toBe('This recovery key is wrong or no longer valid.');
    await submit('recovery-key');
    expect(client.user.value?.name).toBe('Ben');
  });

  it.each([
    ['finished matches', { userPage: pageOf(played) }],
    ['a table', { me: meOf({ tables: [{}] as unknown as Me['tables'] }) }],
  ])('asks a guest with %s first, once', async (_, api) => {
    const signIn = vi.fn().mockRejectedValueOnce(new Refusal('wrong_credentials', 'no')).mockResolvedValue({ user: ACCOUNT });
    const { client } = await renderSignIn({ signIn, ...api });
    await typeCredentials();
    expect(findElement('dialog').getAttribute('aria-label')).toBe('Leave the guest Ada?');
    click(byTestId('leave-stay'));
    await act(flushTasks);
    expect(document.querySelector('dialog')).toBeNull();
    expect(signIn).not.toHaveBeenCalled();
    await submit('password');
    click(byTestId('leave-go'));
    await act(flushTasks);
    expect(byTestId('wrong-password').textContent).not.toBe('');
    await submit('password');
    expect(document.querySelector('dialog')).toBeNull();
    expect(client.user.value).toEqual(ACCOUNT);
  });
});

describe('a new account', () => {
  function renderSignUp(api: Partial<Api>) {
    const online = onlineClient(api);
    renderPage(online.client, <SignUpPage api={signInApi()} />);
    return online;
  }

  it('keeps the user, whose name is suggested', async () => {
    const createAccount = vi.fn(() => Promise.resolve({ ...ADA, account: true }));
    const { client, socket, current } = renderSignUp({ createAccount });
    expect(input('username').value).toBe('Ada');
    expect([input('username').autocomplete, input('password').autocomplete]).toEqual(['username', 'new-password']);
    fillField('password-input', 'correct horse');
    await submit('password');
    expect(createAccount).toHaveBeenCalledExactlyOnceWith({ name: 'Ada', password: 'correct horse' });
    expect(client.user.value).toEqual({ ...ADA, account: true });
    expect(current()).toBe(socket);
    expect(location.pathname).toBe(`/u/${ADA.id}`);
  });

  it.each([
    ['name_taken', 'username', 'This name belongs to another player. Choose another one.'],
    ['bad_setting', 'username', 'This name is not available. Try another one.'],
    ['invalid_password', 'password', 'Choose another password: 8 to 128 characters, not your name, and not a common password.'],
  ] as const)('shows %s at the %s, which gets the focus', async (code, field, sentence) => {
    renderSignUp({ createAccount: () => Promise.reject(new Refusal(code, 'no')) });
    fillField('password-input', 'password');
    await submit('password');
    expect(byTestId(`wrong-${field}`).textContent).toBe(sentence);
    expect(document.activeElement).toBe(input(field));
    expect(document.querySelectorAll('[aria-invalid="true"]')).toHaveLength(1);
  });

  it('is not offered to a user with an account', () => {
    const { client } = onlineClient();
    client.user.value = ACCOUNT;
    renderPage(client, <SignUpPage api={signInApi()} />);
    expect(exists('sign-up')).toBe(false);
    expect(findElement('main').textContent).toContain('You have an account already.');
  });

  it('is not offered to a browser that was signed out, but signing in is', () => {
    const { client } = onlineClient();
    client.user.value = null;
    client.signedOutUser.value = ADA;
    renderPage(client, <SignUpPage api={signInApi()} />);
    expect(exists('sign-up')).toBe(false);
    expect(findElement('main').getAttribute('aria-busy')).toBe('false');
    expect(findElement('main a').getAttribute('href')).toBe('/sign-in');
  });

  it('changes the links of the menu', async () => {
    const { client } = onlineClient({
      sessions: () => Promise.resolve({ sessions: [{ id: 's', client: 'browser' as const, created_at_ms: 0, is_current: true }] }),
      endSession: () => Promise.resolve(),
    });
    renderPage(client, <Menu currentPage="lobby" />);
    expect([exists('menu-sign-in'), exists('menu-sign-up'), exists('menu-sign-out')]).toEqual([true, true, false]);
    act(() => {
      client.user.value = ACCOUNT;
    });
    expect([exists('menu-sign-in'), exists('menu-sign-up'), exists('menu-sign-out')]).toEqual([false, false, true]);
    click(byTestId('menu-sign-out'));
    await act(flushTasks);
    expect(client.signedOutUser.value).toEqual(ACCOUNT);
    expect([exists('menu-sign-in'), exists('menu-sign-up')]).toEqual([true, false]);
  });

  it('may be renamed again later', async () => {
    const { client } = onlineClient({ rename: () => Promise.reject(new Refusal('rename_too_soon', 'no', 5 * 86_400)) });
    renderPage(client, <RenameButton />);
    click(byTestId('rename'));
    submitField('name-input', 'Zoë');
    await act(flushTasks);
    expect(byTestId('wrong-name').textContent).toBe('You can change your name again in 5 days.');
  });
});

describe('the settings', () => {
  /** Renders the sections about the user's identity. */
  async function renderSettings(shown: UserView, api: Partial<Api>) {
    const online = onlineClient({ me: meOf(), sessions: () => Promise.resolve({ sessions: [] }), tokens: () => Promise.resolve({ tokens: [] }), ...api });
    online.client.user.value = shown;
    renderPage(online.client, <AccountSettings signInApi={signInApi()} />);
    await act(flushTasks);
    return online;
  }

  it('create, replace and delete a recovery key', async () => {
    const createRecoveryKey = vi.fn().mockResolvedValueOnce({ recovery_key: 'first' }).mockResolvedValueOnce({ recovery_key: 'second' });
    const removeRecoveryKey = vi.fn(() => Promise.resolve());
    await renderSettings(ADA, { createRecoveryKey, removeRecoveryKey });
    expect(exists('remove-key')).toBe(false);
    click(byTestId('create-key'));
    await act(flushTasks);
    expect(byTestId<HTMLTextAreaElement>('shown-key').value).toBe('first');
    expect(findElement('dialog').textContent).not.toContain('earlier');
    click(findElement('dialog .icon-button'));
    expect(exists('shown-key')).toBe(false);
    expect(document.body.textContent).not.toContain('first');
    click(byTestId('create-key'));
    await act(flushTasks);
    expect(byTestId<HTMLTextAreaElement>('shown-key').value).toBe('second');
    expect(findElement('dialog').textContent).toContain('An earlier key no longer works.');
    click(findElement('dialog .icon-button'));
    click(byTestId('remove-key'));
    await act(flushTasks);
    expect(removeRecoveryKey).toHaveBeenCalledOnce();
    expect(exists('remove-key')).toBe(false);
    expect(byTestId('key-result').textContent).toBe('The recovery key was deleted. It no longer works.');
  });

  it('save the key as a file that says how it is used', async () => {
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob);
      return '#saved';
    });
    await renderSettings(ADA, { createRecoveryKey: () => Promise.resolve({ recovery_key: 'abcd-efgh' }) });
    click(byTestId('create-key'));
    await act(flushTasks);
    click(byTestId('save-key'));
    expect(await saved[0]?.text()).toBe(`Recovery key of Ada for Quadrex: abcd-efgh\nSign in with it at ${location.origin}/sign-in`);
  });

  it('change the password and load the list of sessions again', async () => {
    const changePassword = vi.fn().mockRejectedValueOnce(new Refusal('wrong_credentials', 'no')).mockRejectedValueOnce(new Refusal('invalid_password', 'no')).mockResolvedValue({ ended: 1 });
    const sessions = vi.fn(() => Promise.resolve({ sessions: [] }));
    await renderSettings(ACCOUNT, { changePassword, sessions });
    click(byTestId('change-password'));
    fillField('current-password-input', 'old');
    fillField('new-password-input', 'new');
    await submit('new-password');
    expect(changePassword).toHaveBeenCalledWith({ current: 'old', new: 'new' });
    expect(byTestId('wrong-current-password').textContent).toBe('This is not your current password.');
    expect(document.activeElement).toBe(input('current-password'));
    await submit('new-password');
    expect(byTestId('wrong-new-password').textContent).toContain('Choose another password');
    expect(document.activeElement).toBe(input('new-password'));
    expect(sessions).toHaveBeenCalledTimes(1);
    await submit('new-password');
    expect(document.querySelector('dialog')).toBeNull();
    expect(byTestId('account-result').textContent).toBe('Your password was changed, and 1 other session was signed out.');
    expect(sessions).toHaveBeenCalledTimes(2);
  });

  it('create a token with the chosen scopes, show it once, and revoke it', async () => {
    const details = { id: 't', name: 'My bot', scopes: ['read', 'play', 'bot'] as ('read' | 'play' | 'bot')[], created_at_ms: 0, expires_at_ms: 0 };
    const createToken = vi.fn(() => Promise.resolve({ token: 'tok-en', details }));
    const revokeToken = vi.fn(() => Promise.resolve());
    await renderSettings(ADA, { createToken, revokeToken });
    click(byTestId('new-token'));
    fillField('token-name-input', ' My bot ');
    click(byTestId('scope-bot'));
    await submit('token-name');
    expect(createToken).toHaveBeenCalledExactlyOnceWith({ name: 'My bot', scopes: ['read', 'play', 'bot'], expires_in_days: 90 });
    expect(byTestId<HTMLInputElement>('shown-token').value).toBe('tok-en');
    click(findElement('dialog .icon-button'));
    expect(document.body.innerHTML).not.toContain('tok-en');
    expect(byTestId('token').textContent).toContain('My botReadPlayBot');
    click(byTestId('revoke-token'));
    await act(flushTasks);
    expect(revokeToken).toHaveBeenCalledExactlyOnceWith('t');
    expect(exists('token')).toBe(false);
    expect(byTestId('tokens-result').textContent).toBe('Revoked: My bot.');
  });
});

describe('the settings about programs and data', () => {
  async function renderSettings(api: Partial<Api>) {
    const online = onlineClient({ me: meOf(), sessions: () => Promise.resolve({ sessions: [] }), tokens: () => Promise.resolve({ tokens: [] }), ...api });
    renderPage(online.client, <AccountSettings signInApi={signInApi()} />);
    await act(flushTasks);
    return online;
  }

  it.each([
    [true, true],
    [undefined, false],
  ])('offer the scope of operators to operators only: %s', async (operator, isOffered) => {
    const createToken = vi.fn(() => Promise.reject(new Error('not now')));
    await renderSettings({ createToken, me: meOf(operator === undefined ? {} : { operator }) });
    click(byTestId('new-token'));
    expect(exists('scope-admin')).toBe(isOffered);
    if (!isOffered) return;
    click(byTestId('scope-admin'));
    fillField('token-name-input', 'A script');
    await submit('token-name');
    expect(createToken).toHaveBeenCalledExactlyOnceWith({ name: 'A script', scopes: ['read', 'play', 'admin'], expires_in_days: 90 });
  });

  it('save the data of the user as a file', async () => {
    const saved: (Blob | MediaSource)[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob);
      return '#saved';
    });
    const data = new Blob(['{}'], { type: 'application/json' });
    const exportData = vi.fn().mockRejectedValueOnce(new Refusal('rate_limited', 'too fast', 9)).mockResolvedValue(data);
    const { client } = await renderSettings({ exportData });
    click(byTestId('export-data'));
    await act(flushTasks);
    expect(saved).toEqual([]);
    expect(noticesOf(client)).toEqual(['Too many attempts. Try again in 9 s.']);
    click(byTestId('export-data'));
    await act(flushTasks);
    expect(saved).toEqual([data]);
  });
});

describe('the deletion', () => {
  async function renderDeletion(shown: UserView, deleteUser: Api['deleteUser']) {
    const online = onlineClient({ me: meOf({ user: shown }), sessions: () => Promise.resolve({ sessions: [] }), tokens: () => Promise.resolve({ tokens: [] }), deleteUser });
    online.client.user.value = shown;
    renderPage(
      online.client,
      <>
        <AccountSettings signInApi={signInApi()} />
        <SignedOutDialog />
      </>,
    );
    await act(flushTasks);
    click(byTestId('delete-user'));
    return online;
  }

  it('of an account needs the password', async () => {
    const deleteUser = vi.fn().mockRejectedValueOnce(new Refusal('wrong_credentials', 'no')).mockResolvedValue(undefined);
    const { client, socket, current } = await renderDeletion(ACCOUNT, deleteUser);
    expect(findElement('dialog').getAttribute('aria-label')).toBe('Delete Zoë for good?');
    expect(findElement('dialog').textContent).toContain('Past matches stay in the archive');
    fillField('deletion-password-input', 'wrong');
    await submit('deletion-password');
    expect(byTestId('wrong-deletion-password').textContent).toBe('This is not your current password.');
    expect(client.user.value).toEqual(ACCOUNT);
    fillField('deletion-password-input', 'correct horse');
    await submit('deletion-password');
    expect(deleteUser.mock.calls).toEqual([['wrong'], ['correct horse']]);
    expect(client.user.value).toBeNull();
    expect(client.connectionState.value).toBe('signed_out');
    expect(current(), 'nothing connects again').toBe(socket);
    expect(findElement('dialog').textContent).toContain('Your data is deleted');
    expect(findElement('dialog').textContent).toContain('Zoë no longer exists.');
  });

  it('of a guest needs no password, and the browser may start again', async () => {
    const deleteUser = vi.fn().mockRejectedValueOnce(new Refusal('rate_limited', 'no', 7)).mockResolvedValue(undefined);
    const { client } = await renderDeletion(ADA, deleteUser);
    expect(exists('deletion-password-input')).toBe(false);
    const confirm = async (): Promise<void> => {
      act(() => void byTestId('deletion-form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
      await act(flushTasks);
    };
    await confirm();
    expect(findElement('dialog [role="alert"]').textContent).toBe('Too many attempts. Try again in 7 s.');
    await confirm();
    expect(deleteUser.mock.calls).toEqual([[undefined], [undefined]]);
    client.api.session = () => Promise.resolve({ user: user('Fay') });
    click(byTestId('start-again'));
    await act(flushTasks);
    expect(client.user.value?.name).toBe('Fay');
    client.connection.signOut();
    client.onSessionEnd();
    await act(flushTasks);
    expect(client.isDeleted.value, 'a later sign-out is no deletion').toBe(false);
  });
});

describe('the page of a guest', () => {
  async function renderOwnPage(api: Partial<Api>, shown: UserView = ADA): Promise<void> {
    const { client } = onlineClient({ matches: () => Promise.resolve({ matches: [] }), ...api });
    client.user.value = shown;
    renderPage(client, <UserPage user={shown.id} />);
    await act(flushTasks);
  }

  it('offers ways to keep the finished matches, until the hint is dismissed', async () => {
    await renderOwnPage({ userPage: pageOf(played), me: meOf() });
    expect(byTestId('player').textContent).toContain('Guest · Joined');
    expect([...byTestId('keep-hint').querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(['/sign-up', '/settings#recovery-key']);
    click(byTestId('keep-hint-close'));
    expect(exists('keep-hint')).toBe(false);
    closePage();
    await renderOwnPage({ userPage: pageOf(played), me: meOf() });
    expect(exists('player')).toBe(true);
    expect(exists('keep-hint')).toBe(false);
  });

  it.each<[string, Partial<Api>, UserView]>([
    ['without finished matches', { userPage: pageOf(), me: meOf() }, ADA],
    ['with a recovery key', { userPage: pageOf(played), me: meOf({ recovery_key: true }) }, ADA],
    ['with an account', { userPage: pageOf(played, ACCOUNT), me: meOf({ user: ACCOUNT }) }, ACCOUNT],
    ['whose data cannot be loaded', { userPage: pageOf(played) }, ADA],
  ])('%s has no such hint', async (_, api, shown) => {
    await renderOwnPage(api, shown);
    expect(byTestId('player').textContent).toContain('Joined');
    expect(exists('keep-hint')).toBe(false);
  });
});

it('a refusal has the wait that the server has named', async () => {
  const answer = new Response(JSON.stringify({ code: 'rate_limited', message: 'wait' }), { status: 429, headers: { 'retry-after': '17' } });
  vi.stubGlobal('fetch', () => Promise.resolve(answer));
  await expect(httpApi.signIn({ recovery_key: 'x' })).rejects.toMatchObject({ code: 'rate_limited', retryAfter_s: 17 });
});
