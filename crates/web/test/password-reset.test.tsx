import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import { httpSignInApi, type SignInApi } from '../src/store/sign-in-api.ts';
import { PasswordResetPage } from '../src/view/account/password-reset-page.tsx';
import { SignInPage } from '../src/view/account/sign-in-page.tsx';
import { parseAddress } from '../src/view/router.ts';
import { flushTasks } from './support/explorer.ts';
import { byTestId, closePage, exists, renderPage, submitField } from './support/page.tsx';
import { signInApi } from './support/sign-in.ts';
import { onlineClient } from './support/stub-client.ts';

afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

async function open(hash: string, routes: Partial<SignInApi>): Promise<void> {
  history.replaceState(null, '', `/password-reset${hash}`);
  renderPage(onlineClient().client, <PasswordResetPage api={signInApi(routes)} />);
  await act(flushTasks);
}

async function submit(field: string, value: string): Promise<void> {
  submitField(field, value);
  await act(flushTasks);
}

it.each([
  ['of a server with mail leads to the page', true],
  ['of a server without mail does not', false],
])('the page for signing in %s', async (_, password_reset) => {
  renderPage(onlineClient().client, <SignInPage api={signInApi({ options: () => Promise.resolve({ password_reset, providers: [] }) })} />);
  expect(exists('forgot-password'), 'before the answer').toBe(false);
  await act(flushTasks);
  expect(exists('forgot-password')).toBe(password_reset);
  if (password_reset) expect(parseAddress(new URL(byTestId<HTMLAnchorElement>('forgot-password').href))).toEqual({ kind: 'password-reset' });
});

describe('a forgotten password', () => {
  it('is replaced by a link, which is requested for a name', async () => {
    const requestReset = vi.fn(() => Promise.resolve());
    await open('', { requestReset });
    await submit('username-input', ' Ada ');
    expect(requestReset).toHaveBeenCalledExactlyOnceWith('Ada', 'en');
    expect(byTestId('reset-sent').textContent).toBe('If Ada has a confirmed email address, a link is on its way. Open it within an hour.');
    expect(document.activeElement).toBe(byTestId('reset-sent'));
  });

  it.each([
    [new Refusal('forbidden', 'no mail'), 'This server does not send emails. Sign in with your recovery key.'],
    [new Refusal('rate_limited', 'too many', 60), 'Too many attempts. Try again in 60 s.'],
  ])('cannot be replaced after %s', async (refusal, words) => {
    await open('', { requestReset: () => Promise.reject(refusal) });
    await submit('username-input', 'Ada');
    expect(byTestId('wrong-username').textContent).toBe(words);
    expect(exists('reset-sent')).toBe(false);
  });

  it('is replaced by a new one after the link, whose secret leaves the address bar', async () => {
    const resetPassword = vi.fn().mockRejectedValueOnce(new Refusal('invalid_password', 'too short')).mockResolvedValue(undefined);
    await open('#s3cret', { resetPassword });
    expect(location.hash).toBe('');
    expect(byTestId<HTMLInputElement>('new-password-input').autocomplete).toBe('new-password');
    await submit('new-password-input', 'short');
    expect(byTestId('wrong-new-password').textContent).toContain('8 to 128 characters');
    await submit('new-password-input', 'correct horse');
    expect(resetPassword).toHaveBeenLastCalledWith('s3cret', 'correct horse');
    expect(byTestId('reset-done').textContent).toContain('Your password was changed');
    expect(document.activeElement).toBe(byTestId('reset-done'));
  });

  it('needs another link if this one is not valid any more', async () => {
    await open('#old', { resetPassword: () => Promise.reject(new Refusal('bad_mail_link', 'this link was used')) });
    await submit('new-password-input', 'correct horse');
    expect(byTestId('reset-invalid').textContent).toBe('This link was used already or has expired. Request another one.');
    expect(document.activeElement).toBe(byTestId('reset-invalid'));
    expect(exists('reset-request')).toBe(true);
    history.replaceState(null, '', '/password-reset#new');
    act(() => void dispatchEvent(new Event('hashchange')));
    expect(exists('new-password'), 'a link that is pasted into the address').toBe(true);
  });
});

describe('the routes', () => {
  it('for a forgotten password', async () => {
    const requests: string[] = [];
    vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
      requests.push(`${init.method} ${path} ${typeof init.body === 'string' ? init.body : ''}`);
      return Promise.resolve(new Response(null, { status: 204 }));
    });
    await httpSignInApi.requestReset('Ada', 'es');
    await httpSignInApi.resetPassword('s', 'correct horse');
    expect(requests).toEqual(['POST /api/password-resets {"name":"Ada","language":"es"}', 'POST /api/password-resets/confirm {"secret":"s","password":"correct horse"}']);
  });

  it('of a server of an earlier version offer nothing', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"code":"not_found","message":"there is nothing here"}', { status: 404 })));
    expect(await httpSignInApi.options()).toMatchObject({ password_reset: false });
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"code":"internal","message":"internal error"}', { status: 500 })));
    await expect(httpSignInApi.options()).rejects.toThrow('internal error');
  });
});
