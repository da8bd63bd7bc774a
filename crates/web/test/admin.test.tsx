import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Me } from '../src/protocol/generated.ts';
import { httpAdminApi, type AdminApi } from '../src/store/admin-api.ts';
import { text } from '../src/text/index.ts';
import { AdminPage } from '../src/view/admin/admin-page.tsx';
import { Menu } from '../src/view/menu.tsx';
import { OperatorsOnly } from '../src/view/operators-only.tsx';
import { page, parseAddress, type AdminPlace } from '../src/view/router.ts';
import { detailsOf, NO_ADMIN_API } from './support/admin.ts';
import { matchSummary } from './support/archive.ts';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, fillField, findElement, renderPage, submitField } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const RUDE = user('Rude');
const UNTIL_MS = Date.UTC(2027, 4, 3, 10);
const SUSPENDED = { suspension: { reason: 'insults', since_ms: 0, until_ms: UNTIL_MS }, suspended_by: user('Olga').id };

afterEach(() => {
  closePage();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

const bodyText = (): string => document.body.textContent ?? '';

/** Renders a page for operators. */
async function renderAdmin(place: AdminPlace, api: Partial<AdminApi>) {
  const online = onlineClient();
  renderPage(online.client, <AdminPage place={place} api={{ ...NO_ADMIN_API, ...api }} />);
  await act(flushTasks);
  return online;
}

const renderUsers = (api: Partial<AdminApi>, more: { name?: string; suspended?: boolean } = {}) => renderAdmin({ kind: 'users', name: null, suspended: false, ...more }, api);

/** Renders the page of a user with these details. */
const renderUser = (details = detailsOf(), api: Partial<AdminApi> = {}) => renderAdmin({ kind: 'user', user: details.user.id }, { user: () => Promise.resolve(details), ...api });

/** Opens the dialog of an action, and submits it with a reason. */
async function submitAction(action: string, reason: string): Promise<void> {
  click(byTestId(`action-${action}`));
  fillField('reason-input', reason);
  await submitReason();
}

async function submitReason(): Promise<void> {
  submitField('reason-input', byTestId<HTMLTextAreaElement>('reason-input').value);
  await act(flushTasks);
}

describe('the access', () => {
  const meOf = (more: Partial<Me>): Me => ({ user: user('Ada'), tables: [], ...more });

  async function renderGate(me: () => Promise<Me>): Promise<void> {
    const { client } = onlineClient({ me });
    renderPage(
      client,
      <>
        <Menu currentPage="lobby" />
        <OperatorsOnly>
          <main>the page</main>
        </OperatorsOnly>
      </>,
    );
    await act(flushTasks);
  }

  it('an operator sees the page and the link to it', async () => {
    await renderGate(() => Promise.resolve(meOf({ operator: true })));
    expect(findElement('main').textContent).toBe('the page');
    expect(byTestId('menu-admin').getAttribute('href')).toBe('/admin');
  });

  it('for everybody else there is no such page', async () => {
    await renderGate(() => Promise.resolve(meOf({})));
    expect(findElement('main').textContent).toContain('Page not found');
    expect(exists('menu-admin')).toBe(false);
  });

  it('until it is known, nothing is shown', async () => {
    await renderGate(() => new Promise<Me>(() => {}));
    expect(findElement('main').textContent).toBe('');
    expect(findElement('main').getAttribute('aria-busy')).toBe('true');
  });

  it.each<[string, AdminPlace | null]>([
    ['/admin', { kind: 'users', name: null, suspended: false }],
    ['/admin/?name=ru%20de', { kind: 'users', name: 'ru de', suspended: false }],
    ['/admin?suspended=true', { kind: 'users', name: null, suspended: true }],
    ['/admin/u/0192F0C1-2345-7000-8000-000000000001', { kind: 'user', user: '0192f0c1-2345-7000-8000-000000000001' }],
    ['/admin/u/rude', null],
    ['/administration', null],
  ])('the address %s', (address, place) => {
    const found = parseAddress(new URL(address, location.origin));
    expect(found).toEqual(place === null ? { kind: 'unknown' } : { kind: 'admin', place });
  });
});

describe('the list of users', () => {
  it('asks for nothing before a search, which changes the address', async () => {
    const users = vi.fn();
    await renderUsers({ users });
    expect(users).not.toHaveBeenCalled();
    submitField('user-search-input', '  ');
    expect(location.pathname + location.search).toBe('/');
    submitField('user-search-input', ' ru&de ');
    expect(location.pathname + location.search).toBe('/admin?name=ru%26de');
    expect(page.value).toEqual({ kind: 'admin', place: { kind: 'users', name: 'ru&de', suspended: false } });
  });

  it('has the kind, the first visit and the suspension of each user', async () => {
    const users = vi.fn(() =>
      Promise.resolve({
        users: [
          { user: { ...user('Zoë'), account: true }, created_at_ms: 0, ...SUSPENDED },
          { user: RUDE, created_at_ms: 0 },
          { user: user('Fred'), created_at_ms: 0, suspension: { reason: 'cheating', since_ms: 0 } },
        ],
      }),
    );
    await renderUsers({ users }, { name: 'e' });
    expect(users).toHaveBeenCalledExactlyOnceWith({ name: 'e' });
    const rows = [...document.querySelectorAll<HTMLElement>('[data-testid="admin-user"]')].map(({ textContent }) => textContent);
    const visit = `First visit: ${text.day(0)}`;
    expect(rows).toEqual([
      `ZoëAccount · ${visit}Suspended until ${text.moment(UNTIL_MS)} · insults`,
      `RudeGuest · ${visit}`,
      `FredGuest · ${visit}Suspended until lifted · cheating`,
    ]);
    expect(findElement('[data-testid="admin-user"] a').getAttribute('href')).toBe(`/admin/u/${user('Zoë').id}`);
    expect(bodyText()).not.toContain('Only the first');
  });

  it('lists the suspended users without a search', async () => {
    const users = vi.fn(() => Promise.resolve({ users: [] }));
    await renderUsers({ users }, { suspended: true });
    expect(users).toHaveBeenCalledExactlyOnceWith({ suspended: true });
    expect(bodyText()).toContain('No one is suspended.');
    expect(exists('user-search-input')).toBe(false);
  });

  it('says when nobody was found, and when the list is full', async () => {
    await renderUsers({ users: () => Promise.resolve({ users: [] }) }, { name: 'x' });
    expect(bodyText()).toContain('No user has such a name.');
    closePage();
    const fifty = Array.from({ length: 50 }, (_, index) => ({ user: user(`u${index}`), created_at_ms: 0 }));
    await renderUsers({ users: () => Promise.resolve({ users: fifty }) }, { name: 'u' });
    expect(bodyText()).toContain('Only the first 50 users are listed.');
  });

  it('can be loaded again after a failure', async () => {
    const users = vi.fn().mockRejectedValueOnce(new TypeError('fetch failed')).mockResolvedValue({ users: [] });
    await renderUsers({ users }, { name: 'x' });
    expect(bodyText()).toContain('The server cannot be reached.');
    click(findElement('.load-error button'));
    await act(flushTasks);
    expect(bodyText()).toContain('No user has such a name.');
  });
});

describe('the page of a user', () => {
  it('has the facts, the suspension and the matches', async () => {
    await renderUser(detailsOf({ ...RUDE, account: true }, { ...SUSPENDED, account_created_at_ms: 0, seen_at_ms: Date.now(), matches: [matchSummary('m')] }));
    const facts = byTestId('admin-facts').textContent;
    for (const fact of ['KindAccount', `Account created${text.moment(0)}`, 'Last seenwithin the last hour', 'Sessions2', 'Tokens1', `User ID${RUDE.id}`]) expect(facts).toContain(fact);
    expect(byTestId('admin-suspension').textContent).toContain(`Suspended until ${text.moment(UNTIL_MS)}Reason: insults`);
    expect(findElement('[data-testid="admin-suspension"] a').getAttribute('href')).toBe(`/admin/u/${user('Olga').id}`);
    expect(exists('match-card')).toBe(true);
  });

  it('of a guest who is nowhere signed in', async () => {
    await renderUser();
    const facts = byTestId('admin-facts').textContent;
    expect(facts).toContain('KindGuest');
    expect(facts).toContain('Not signed in anywhere');
    expect(facts).not.toContain('Account created');
    expect(facts).toContain('Reports about the user3 in all, 1 open');
    expect(exists('admin-suspension')).toBe(false);
    expect([exists('action-suspend'), exists('action-restore')]).toEqual([true, false]);
    expect(bodyText()).toContain('No matches yet.');
  });

  it('of a user who does not exist is not found', async () => {
    await renderUser(detailsOf(), { user: () => Promise.reject(new Refusal('not_found', 'there is no such user')) });
    expect(findElement('h1').textContent).toBe('Page not found');
  });
});

describe('an action', () => {
  it('suspends for the chosen time, with a reason on one line', async () => {
    const suspend = vi.fn(() => Promise.resolve(detailsOf(RUDE, SUSPENDED)));
    await renderUser(detailsOf(), { suspend });
    click(byTestId('action-suspend'));
    expect(findElement('dialog').getAttribute('aria-label')).toBe('Suspend Rude?');
    const select = byTestId<HTMLSelectElement>('set-suspend-duration');
    expect([...select.options].map(({ textContent }) => textContent)).toEqual(['1 h', '1 day', '3 days', '7 days', '30 days', '90 days', '365 days', 'Until lifted']);
    expect(select.value).toBe('24');
    act(() => {
      select.value = '168';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    fillField('reason-input', ' insults\nin  the chat ');
    expect(suspend).not.toHaveBeenCalled();
    await submitReason();
    expect(suspend).toHaveBeenCalledExactlyOnceWith(RUDE.id, { reason: 'insults in the chat', hours: 168 });
    expect(document.querySelector('dialog')).toBeNull();
    expect(byTestId('admin-result').textContent).toBe('Rude is suspended.');
    expect(document.activeElement).toBe(findElement('h1'));
    expect([exists('admin-suspension'), byTestId('action-suspend').textContent]).toEqual([true, 'Change suspension']);
  });

  it('suspends without an end', async () => {
    const suspend = vi.fn(() => Promise.resolve(detailsOf(RUDE, SUSPENDED)));
    await renderUser(detailsOf(), { suspend });
    click(byTestId('action-suspend'));
    act(() => {
      const select = byTestId<HTMLSelectElement>('set-suspend-duration');
      select.value = 'lifted';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    fillField('reason-input', 'cheating');
    await submitReason();
    expect(suspend).toHaveBeenCalledExactlyOnceWith(RUDE.id, { reason: 'cheating', hours: null });
  });

  it('warns with a text, which is listed afterwards', async () => {
    const warnings = [
      { number: 8, text: 'Please stop.', at_ms: 0, by: user('Olga').id },
      { number: 7, text: 'Be polite.', at_ms: 0, by: user('Olga').id, acknowledged_at_ms: UNTIL_MS },
    ];
    const warn = vi.fn(() => Promise.resolve(detailsOf(RUDE, { warnings })));
    await renderUser(detailsOf(), { warn });
    expect(exists('admin-warnings')).toBe(false);
    await submitAction('warn', 'Please stop.');
    expect(warn).toHaveBeenCalledExactlyOnceWith(RUDE.id, { text: 'Please stop.' });
    expect(byTestId('admin-result').textContent).toBe('Rude was warned.');
    const rows = [...byTestId('admin-warnings').children].map(({ textContent }) => textContent);
    expect(rows).toEqual([`Please stop.${text.moment(0)} · not confirmed yet`, `Be polite.${text.moment(0)} · confirmed ${text.moment(UNTIL_MS)}`]);
  });

  it('lifts a suspension', async () => {
    const restore = vi.fn(() => Promise.resolve(detailsOf()));
    await renderUser(detailsOf(RUDE, SUSPENDED), { restore });
    await submitAction('restore', 'an apology');
    expect(restore).toHaveBeenCalledExactlyOnceWith(RUDE.id, { reason: 'an apology' });
    expect(byTestId('admin-result').textContent).toBe('Rude is no longer suspended.');
    expect(exists('admin-suspension')).toBe(false);
  });

  it('deletes a user, who has no further actions then', async () => {
    const remove = vi.fn(() => Promise.resolve(detailsOf({ ...RUDE, name: 'Deleted user' })));
    await renderUser(detailsOf(), { delete: remove });
    click(byTestId('action-delete'));
    expect(findElement('dialog').textContent).toContain('This cannot be undone.');
    expect(remove).not.toHaveBeenCalled();
    await submitAction('delete', 'a child');
    expect(remove).toHaveBeenCalledExactlyOnceWith(RUDE.id, { reason: 'a child' });
    expect(byTestId('admin-result').textContent).toBe('Rude was deleted.');
    expect([findElement('h1').textContent, exists('user-actions')]).toEqual(['Deleted user', false]);
  });

  it('renames; a refused name is shown at the name', async () => {
    const rename = vi.fn().mockRejectedValueOnce(new Refusal('name_taken', 'taken')).mockRejectedValueOnce(new Refusal('bad_setting', 'bad')).mockResolvedValue(detailsOf({ ...RUDE, name: 'Polite' }));
    await renderUser(detailsOf(), { rename });
    click(byTestId('action-rename'));
    fillField('new-name-input', ' Polite ');
    fillField('reason-input', 'unsuitable name');
    await submitReason();
    expect(byTestId('wrong-new-name').textContent).toContain('belongs to another player');
    expect(byTestId('wrong-reason').textContent).toBe('');
    expect(document.activeElement).toBe(byTestId('new-name-input'));
    await submitReason();
    expect(byTestId('wrong-new-name').textContent).toBe('This name is not available. Try another one.');
    await submitReason();
    expect(rename).toHaveBeenLastCalledWith(RUDE.id, { name: 'Polite', reason: 'unsuitable name' });
    expect(findElement('h1').textContent).toBe('Polite');
    expect(byTestId('admin-result').textContent).toBe('The new name is Polite.');
  });

  it('signs a user out everywhere; operators are protected', async () => {
    const revoke = vi.fn().mockRejectedValueOnce(new Refusal('forbidden', 'this user is an operator')).mockResolvedValue(detailsOf(RUDE, { sessions: 0 }));
    await renderUser(detailsOf(), { revoke });
    await submitAction('revoke', 'stolen');
    expect(byTestId('wrong-reason').textContent).toBe('Operators and bots of the server cannot be changed here.');
    await submitReason();
    expect(revoke).toHaveBeenLastCalledWith(RUDE.id, { reason: 'stolen' });
    expect(byTestId('admin-result').textContent).toBe('Rude is signed out everywhere.');
    expect(byTestId('admin-facts').textContent).toContain('Sessions0');
  });

  it('exports the data of a user after a question', async () => {
    const saved: (Blob | MediaSource)[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob);
      return '#saved';
    });
    const data = new Blob(['{}']);
    const exportData = vi.fn().mockRejectedValueOnce(new TypeError('fetch failed')).mockResolvedValue(data);
    const { client } = await renderUser(detailsOf(), { exportData });
    click(byTestId('action-export'));
    expect(exportData).not.toHaveBeenCalled();
    click(byTestId('export-confirm'));
    await act(flushTasks);
    expect(noticesOf(client)).toEqual(['The server cannot be reached.']);
    click(byTestId('action-export'));
    click(byTestId('export-confirm'));
    await act(flushTasks);
    expect(exportData).toHaveBeenLastCalledWith(RUDE.id);
    expect(saved).toEqual([data]);
  });

  it('does nothing if the dialog is closed', async () => {
    const revoke = vi.fn();
    await renderUser(detailsOf(), { revoke });
    click(byTestId('action-revoke'));
    click(findElement('dialog .buttons .button:not(.danger)'));
    expect(document.querySelector('dialog')).toBeNull();
    expect(revoke).not.toHaveBeenCalled();
  });
});

it('the requests have the paths and bodies of the protocol', async () => {
  const fetch = vi.fn<(path: string, options?: RequestInit) => Promise<Response>>(() => Promise.resolve(new Response('{}')));
  vi.stubGlobal('fetch', fetch);
  await httpAdminApi.users({ name: 'ru de' });
  await httpAdminApi.users({ suspended: true });
  await httpAdminApi.user('id');
  await httpAdminApi.suspend('id', { reason: 'r', hours: null });
  await httpAdminApi.warn('id', { text: 't' });
  await httpAdminApi.restore('id', { reason: 'r' });
  await httpAdminApi.rename('id', { name: 'n', reason: 'r' });
  await httpAdminApi.revoke('id', { reason: 'r' });
  await httpAdminApi.exportData('id');
  expect(fetch.mock.calls.map(([path, options]) => [options?.method ?? 'GET', path, options?.body])).toEqual([
    ['GET', '/api/admin/users?name=ru+de', undefined],
    ['GET', '/api/admin/users?suspended=true', undefined],
    ['GET', '/api/admin/users/id', undefined],
    ['POST', '/api/admin/users/id/suspend', '{"reason":"r","hours":null}'],
    ['POST', '/api/admin/users/id/warn', '{"text":"t"}'],
    ['POST', '/api/admin/users/id/restore', '{"reason":"r"}'],
    ['POST', '/api/admin/users/id/rename', '{"name":"n","reason":"r"}'],
    ['POST', '/api/admin/users/id/revoke', '{"reason":"r"}'],
    ['GET', '/api/admin/users/id/export', undefined],
  ]);
});
