import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { GroupMember, GroupStanding, GroupView, UserView } from '../src/protocol/generated.ts';
import { httpGroupsApi, type GroupsApi } from '../src/store/groups-api.ts';
import { GroupPage } from '../src/view/groups/group-page.tsx';
import { GroupsPage } from '../src/view/groups/groups-page.tsx';
import { page, parseAddress } from '../src/view/router.ts';
import { seats, user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { ownTable } from './support/lobby.ts';
import { MATCH, TABLE } from './support/match.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, fillField, findElement, renderPage, submitField } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const GROUP = '0192f0c1-2345-7000-8000-00000000000a';
const account = (name: string): UserView => ({ ...user(name), account: true });
const [ADA, BEN, CLEO] = [account('Ada'), account('Ben'), account('Cleo')];
const VIEW: GroupView = { group: GROUP, name: 'Thursday four', text: 'Every Thursday\nat eight', visibility: 'private', created_at_ms: 0, members: 3 };
const MEMBERS: GroupMember[] = [
  { user: ADA, role: 'owner', since_ms: 1, online: true },
  { user: BEN, role: 'admin', since_ms: 2 },
  { user: CLEO, role: 'member', since_ms: 3, online: true },
];

/** The routes of a group of which the user is a member. */
function apiOf(view: GroupView, more: Partial<GroupsApi> = {}): GroupsApi {
  const none = (): Promise<never> => Promise.reject(new Error('not wanted'));
  return {
    own: () => Promise.resolve({ groups: [] }),
    create: none,
    group: () => Promise.resolve(view),
    join: none,
    change: none,
    renewLink: none,
    remove: none,
    members: () => Promise.resolve({ members: MEMBERS }),
    setRole: none,
    removeMember: none,
    tables: () => Promise.resolve({ tables: [] }),
    standings: () => Promise.resolve({ standings: [] }),
    ...more,
  };
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  closePage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  page.value = { kind: 'lobby' };
  history.replaceState(null, '', '/');
});

async function openGroup(view: GroupView, more: Partial<GroupsApi> = {}, hash = '') {
  history.replaceState(null, '', `/g/${GROUP}${hash}`);
  const online = onlineClient({ createTable: vi.fn(() => Promise.resolve({ table: TABLE, match: MATCH })) });
  act(() => void (online.client.user.value = ADA));
  renderPage(online.client, <GroupPage group={GROUP} api={apiOf(view, more)} />);
  await act(flushTasks);
  return online;
}

const rows = (testId: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[data-testid="${testId}"]`)];

it('the addresses of groups', () => {
  const address = (path: string): unknown => parseAddress(new URL(path, location.origin));
  expect(address('/groups/')).toEqual({ kind: 'groups' });
  expect(address(`/g/${GROUP.toUpperCase()}#join=x`)).toEqual({ kind: 'group', group: GROUP });
  expect(address('/g/four')).toEqual({ kind: 'unknown' });
});

describe('the page of groups', () => {
  async function open(viewer: UserView, api: Partial<GroupsApi> = {}): Promise<void> {
    const { client } = onlineClient();
    act(() => void (client.user.value = viewer));
    renderPage(client, <GroupsPage api={apiOf(VIEW, api)} />);
    await act(flushTasks);
  }

  it('lists the groups of the user', async () => {
    const groups: GroupView[] = [
      { ...VIEW, role: 'owner' },
      { ...VIEW, name: 'Open club', visibility: 'public', members: 1, role: 'member' },
    ];
    await open(ADA, { own: () => Promise.resolve({ groups }) });
    expect(rows('group-row').map(({ textContent }) => textContent)).toEqual(['Thursday fourPrivate group · 3 members · Owner', 'Open clubPublic group · 1 member']);
    expect(findElement('[data-testid="group-row"] a').getAttribute('href')).toBe(`/g/${GROUP}`);
  });

  it('creates a group and opens it; a refusal is shown at the name', async () => {
    const create = vi.fn().mockRejectedValueOnce(new Refusal('list_full', 'full')).mockResolvedValue({ ...VIEW, role: 'owner' });
    await open(ADA, { create });
    click(byTestId('create-group'));
    fillField('group-text-input', ' ');
    submitField('group-name-input', ' Thursday four ');
    await act(flushTasks);
    expect(byTestId('wrong-group-name').textContent).toBe('Your list is full. Remove somebody first.');
    click(byTestId('choose-visibility-public'));
    submitField('group-name-input', ' Thursday four ');
    await act(flushTasks);
    expect(create.mock.calls).toEqual([[{ name: 'Thursday four', visibility: 'private' }], [{ name: 'Thursday four', visibility: 'public' }]]);
    expect(page.value).toEqual({ kind: 'group', group: GROUP });
  });

  it('explains to guests how to create one', async () => {
    await open(user('Ada'));
    expect([exists('create-group'), byTestId('groups-account').querySelector('a')?.getAttribute('href')]).toEqual([false, '/sign-up']);
  });
});

describe('the link of a group', () => {
  it('shows the group, and joins it with the secret, which disappears from the address', async () => {
    const group = vi.fn(() => Promise.resolve(VIEW));
    const join = vi.fn(() => Promise.resolve({ ...VIEW, role: 'member' as const, members: 4 }));
    await openGroup(VIEW, { group, join }, '#join=s3cret');
    expect([location.hash, findElement('h1').textContent]).toEqual(['', 'Thursday four']);
    expect(group).toHaveBeenCalledExactlyOnceWith(GROUP, 's3cret');
    expect([exists('group-members'), exists('group-tables')], 'of a private group nothing else is shown').toEqual([false, false]);
    click(byTestId('join-group'));
    await act(flushTasks);
    expect(join).toHaveBeenCalledExactlyOnceWith(GROUP, 's3cret');
    expect(byTestId('group-result').textContent).toBe('You are a member of Thursday four.');
    expect([exists('group-join'), exists('group-members'), document.activeElement?.tagName]).toEqual([false, true, 'H1']);
  });

  it('of a public group may be opened by everybody', async () => {
    const { client } = await openGroup({ ...VIEW, visibility: 'public' }, { join: () => Promise.reject(new TypeError('fetch failed')) });
    expect([exists('group-members'), exists('group-tables'), exists('group-new-table'), exists('group-actions')]).toEqual([true, true, false, false]);
    click(byTestId('join-group'));
    await act(flushTasks);
    expect(noticesOf(client)).toEqual(['The server cannot be reached.']);
    expect(byTestId('join-group')).toHaveProperty('disabled', false);
  });

  it('that no longer works is not found', async () => {
    await openGroup(VIEW, { group: () => Promise.reject(new Refusal('not_found', 'no such group')) });
    expect(findElement('h1').textContent).toBe('Group not found');
  });

  it('is shown to owners and admins, who can renew it', async () => {
    const renewLink = vi.fn(() => Promise.resolve({ ...VIEW, role: 'admin' as const, secret: 'new' }));
    await openGroup({ ...VIEW, role: 'admin', secret: 'old' }, { renewLink });
    expect(byTestId<HTMLInputElement>('group-link').value).toBe(`${location.origin}/g/${GROUP}#join=old`);
    click(byTestId('renew-link'));
    expect(renewLink).not.toHaveBeenCalled();
    click(byTestId('renew-confirm'));
    await act(flushTasks);
    expect(byTestId<HTMLInputElement>('group-link').value).toBe(`${location.origin}/g/${GROUP}#join=new`);
    expect(byTestId('group-result').textContent).toBe('The old link no longer works.');
  });
});

describe('the page of a group', () => {
  it('lists its tables, at which members sit down without an invite, and creates one for the group', async () => {
    const summary = { ...ownTable(TABLE), host: BEN, seats: seats({ white: null, black: null }) };
    const tables = [{ ...summary, settings: { ...summary.settings, privacy: 'private' as const, admission: 'invite' as const, group: GROUP } }];
    const { client } = await openGroup({ ...VIEW, role: 'member' }, { tables: () => Promise.resolve({ tables }) });
    expect(byTestId('table-row').textContent).toContain('Group table');
    expect(exists('sit-white')).toBe(true);
    click(byTestId('group-new-table'));
    expect(byTestId<HTMLInputElement>('choose-privacy-private').checked).toBe(true);
    expect(findElement('dialog').textContent).toContain('Members sit down without an invite');
    click(byTestId('create'));
    await act(flushTasks);
    expect(client.api.createTable).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ group: GROUP, privacy: 'private' }));
    expect(page.value).toEqual({ kind: 'table', table: TABLE });
  });

  it('asks again for the tables, but not while it is hidden', async () => {
    vi.useFakeTimers();
    const tables = vi.fn(() => Promise.resolve({ tables: [] as ReturnType<typeof ownTable>[] }));
    const { client } = onlineClient();
    renderPage(client, <GroupPage group={GROUP} api={apiOf({ ...VIEW, role: 'member' }, { tables })} />);
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)));
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)));
    expect(tables).toHaveBeenCalledTimes(1);
    tables.mockResolvedValue({ tables: [ownTable(TABLE)] });
    await act(async () => void (await vi.advanceTimersByTimeAsync(20_000)));
    expect(exists('table-row')).toBe(true);
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await act(async () => void (await vi.advanceTimersByTimeAsync(40_000)));
    hidden.mockRestore();
    expect(tables).toHaveBeenCalledTimes(2);
  });

  it('has standings of all time and of the last month', async () => {
    const standing = (one: UserView, points: number, member = true): GroupStanding => ({ user: one, member, matches: 4, wins: 2, points, places: [2, 1, 1, 0] });
    const standings = vi.fn((_: string, period: string) => Promise.resolve({ standings: period === 'all' ? [standing(BEN, 7.5), standing(ADA, 6), standing(CLEO, 1, false)] : [] }));
    await openGroup({ ...VIEW, role: 'member' }, { standings });
    expect(rows('standing').map((row) => [[...row.children].map(({ textContent }) => textContent), row.dataset['own']])).toEqual([
      [['1', 'Ben', '7.5', '2', '4'], 'false'],
      [['2', 'Ada', '6', '2', '4'], 'true'],
      [['3', 'Cleono longer a member', '1', '2', '4'], 'false'],
    ]);
    click(byTestId('period-month'));
    await act(flushTasks);
    expect(standings).toHaveBeenLastCalledWith(GROUP, 'month');
    expect([byTestId('period-month').getAttribute('aria-pressed'), byTestId('group-standings').textContent]).toEqual(['true', expect.stringContaining('No match of the group has ended yet.')]);
  });

  it('lists the members with their roles, and who is online', async () => {
    await openGroup({ ...VIEW, role: 'member' });
    expect(rows('group-member').map((row) => [row.textContent, row.dataset['online']])).toEqual([
      ['AdaOnline · Owner', 'true'],
      ['BenOffline · Admin', 'false'],
      ['CleoOnline', 'true'],
    ]);
    expect(exists('member-actions')).toBe(false);
  });

  it('lets the owner change roles and remove members, and let them back in', async () => {
    const [setRole, removeMember] = [vi.fn(() => Promise.resolve()), vi.fn(() => Promise.resolve())];
    const members = vi.fn(() => Promise.resolve({ members: MEMBERS, removed: [user('Dora')] }));
    await openGroup({ ...VIEW, role: 'owner' }, { setRole, removeMember, members });
    const [own, ben, cleo] = rows('group-member');
    const press = (row: HTMLElement | undefined, testId: string): void => click(row?.querySelector<HTMLElement>(`[data-testid="${testId}"]`) ?? document.body);
    expect(own?.querySelector('[data-testid="member-actions"]')).toBeNull();
    press(ben, 'member-role');
    press(cleo, 'member-role');
    press(cleo, 'member-owner');
    expect(setRole.mock.calls).toEqual([[GROUP, BEN.id, 'member'], [GROUP, CLEO.id, 'admin'], [GROUP, CLEO.id, 'owner']]);
    press(cleo, 'member-remove');
    expect(removeMember).not.toHaveBeenCalled();
    click(byTestId('member-remove-confirm'));
    await act(flushTasks);
    expect(removeMember).toHaveBeenCalledExactlyOnceWith(GROUP, CLEO.id);
    expect(members.mock.calls.length).toBeGreaterThan(1);
    click(byTestId('let-back'));
    expect(setRole).toHaveBeenLastCalledWith(GROUP, user('Dora').id, 'member');
  });

  it('lets admins remove plain members only', async () => {
    await openGroup({ ...VIEW, role: 'admin' });
    expect(rows('group-member').map((row) => row.querySelectorAll('.member-actions button').length)).toEqual([0, 0, 1]);
  });

  it('can be left, changed and deleted, depending on the role', async () => {
    const [removeMember, change, remove] = [vi.fn(() => Promise.resolve()), vi.fn(() => Promise.resolve({ ...VIEW, name: 'Friday', role: 'owner' as const })), vi.fn(() => Promise.resolve())];
    await openGroup({ ...VIEW, role: 'member' }, { removeMember });
    expect([exists('edit-group'), exists('delete-group')]).toEqual([false, false]);
    click(byTestId('leave-group'));
    expect(findElement('dialog').textContent).toContain('you need the link of the group');
    click(byTestId('leave-group-confirm'));
    await act(flushTasks);
    expect(removeMember).toHaveBeenCalledExactlyOnceWith(GROUP, ADA.id);
    expect(page.value).toEqual({ kind: 'groups' });
    closePage();

    await openGroup({ ...VIEW, role: 'owner' }, { change, remove });
    click(byTestId('edit-group'));
    fillField('group-text-input', '');
    submitField('group-name-input', 'Friday');
    await act(flushTasks);
    expect(change).toHaveBeenCalledExactlyOnceWith(GROUP, { name: 'Friday', text: '', visibility: 'private' });
    expect(findElement('h1').textContent).toBe('Friday');
    click(byTestId('delete-group'));
    click(byTestId('delete-group-confirm'));
    await act(flushTasks);
    expect(remove).toHaveBeenCalledExactlyOnceWith(GROUP);
  });
});

it('the routes of groups', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (path: string, { method, body, headers }: { method?: string; body?: string; headers?: Record<string, string> } = {}) => {
    sent.push([method ?? 'GET', path, body ?? headers?.['group-secret'] ?? null]);
    return Promise.resolve(new Response('{}'));
  });
  const api = httpGroupsApi;
  await api.own();
  await api.create({ name: 'x' });
  await api.group(GROUP, null);
  await api.group(GROUP, 's');
  await api.join(GROUP, null);
  await api.join(GROUP, 's');
  await api.change(GROUP, { name: 'y' });
  await api.renewLink(GROUP);
  await api.remove(GROUP);
  await api.members(GROUP);
  await api.setRole(GROUP, 'u', 'admin');
  await api.removeMember(GROUP, 'u');
  await api.tables(GROUP);
  await api.standings(GROUP, 'month');
  const at = `/api/groups/${GROUP}`;
  expect(sent).toEqual([
    ['GET', '/api/me/groups', null],
    ['POST', '/api/groups', '{"name":"x"}'],
    ['GET', at, null],
    ['GET', at, 's'],
    ['POST', `${at}/join`, '{}'],
    ['POST', `${at}/join`, '{"secret":"s"}'],
    ['PATCH', at, '{"name":"y"}'],
    ['POST', `${at}/secret`, null],
    ['DELETE', at, null],
    ['GET', `${at}/members`, null],
    ['PUT', `${at}/members/u`, '{"role":"admin"}'],
    ['DELETE', `${at}/members/u`, null],
    ['GET', `${at}/tables`, null],
    ['GET', `${at}/standings?period=month`, null],
  ]);
});
