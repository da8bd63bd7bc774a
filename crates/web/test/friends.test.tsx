import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FollowedUsers, UserView } from '../src/protocol/generated.ts';
import { httpApi, type Api } from '../src/store/api.ts';
import { text } from '../src/text/index.ts';
import { FriendsPage } from '../src/view/people/friends-page.tsx';
import { openPlayer } from '../src/view/people/open-player.ts';
import { PlayerDialog } from '../src/view/people/player-dialog.tsx';
import { parseAddress } from '../src/view/router.ts';
import { UserPage } from '../src/view/user/user-page.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { byTestId, click, closePage, exists, findElement, renderPage } from './support/page.tsx';
import { TABLE } from './support/match.ts';
import { onlineClient } from './support/stub-client.ts';

const account = (name: string): UserView => ({ ...user(name), account: true });
const [BEN, CLEO, DORA] = [account('Ben'), account('Cleo'), account('Dora')];

const FOLLOWED: FollowedUsers = {
  users: [
    { user: BEN, since_ms: 3, online: true, table: TABLE },
    { user: CLEO, since_ms: 2, online: true },
    { user: DORA, since_ms: 1 },
  ],
};

beforeEach(() => localStorage.clear());
afterEach(() => {
  closePage();
  openPlayer.value = null;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function renderFriends(api: Partial<Api>) {
  const online = onlineClient(api);
  renderPage(online.client, <FriendsPage />);
  await act(flushTasks);
  return online;
}

const rows = (testId: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[data-testid="${testId}"]`)];

describe('the page of friends', () => {
  it('has its address', () => {
    expect(parseAddress(new URL('/friends', location.origin))).toEqual({ kind: 'friends' });
  });

  it('shows who is online or plays, with a link to the table', async () => {
    await renderFriends({ follows: () => Promise.resolve(FOLLOWED) });
    expect(rows('followed-user').map((row) => [row.querySelector('a')?.textContent, row.querySelector('.friend-state')?.textContent, row.dataset['online']])).toEqual([
      ['Ben', 'Playing now', 'true'],
      ['Cleo', 'Online', 'true'],
      ['Dora', 'Offline', 'false'],
    ]);
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a.button')];
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('aria-label')])).toEqual([[`/t/${TABLE}`, 'Watch Ben']]);
  });

  it('ends following, and moves the focus to the heading', async () => {
    const setRelation = vi.fn(() => Promise.resolve());
    await renderFriends({ follows: () => Promise.resolve(FOLLOWED), setRelation });
    click(findElement('[data-testid="followed-user"] [data-testid="follows-remove"]'));
    await act(flushTasks);
    expect(setRelation).toHaveBeenCalledExactlyOnceWith('follows', BEN.id, false);
    expect(rows('followed-user')).toHaveLength(2);
    expect(byTestId('follow-result').textContent).toBe('You no longer follow Ben.');
    expect(document.activeElement?.id).toBe('followed-title');
  });

  it('asks again every 30 s for what they do, but not while it is hidden', async () => {
    vi.useFakeTimers();
    const follows = vi.fn(() => Promise.resolve({ users: [{ user: DORA, since_ms: 1 }] } as FollowedUsers));
    renderPage(onlineClient({ follows }).client, <FriendsPage />);
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)));
    const before = follows.mock.calls.length;
    follows.mockResolvedValue({ users: [{ user: DORA, since_ms: 1, online: true }] });
    await act(async () => void (await vi.advanceTimersByTimeAsync(30_000)));
    expect(follows).toHaveBeenCalledTimes(before + 1);
    expect(rows('followed-user')[0]?.dataset['online']).toBe('true');
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
    expect(follows).toHaveBeenCalledTimes(before + 1);
    hidden.mockRestore();
  });

  it('lists recent opponents, of whom accounts can be followed', async () => {
    const opponents = [
      { user: user('Gus'), matches: 1, last_at_ms: 0, relation: {} },
      { user: BEN, matches: 3, last_at_ms: 0, relation: {} },
    ];
    const setRelation = vi.fn(() => Promise.resolve());
    const follows = vi.fn(() => Promise.resolve({ users: [] }));
    await renderFriends({ opponents: () => Promise.resolve({ opponents }), setRelation, follows });
    expect(follows, 'the buttons share one request').toHaveBeenCalledOnce();
    const [guest, ben] = rows('opponent');
    expect(guest?.textContent).toBe(`Gus1 match, on ${text.day(0)}Invite`);
    expect(guest?.querySelector('[data-testid^="follows"]')).toBeNull();
    expect(ben?.textContent).toContain(`Ben3 matches, the last on ${text.day(0)}InviteFollow`);
    click(findElement('[data-testid="opponent"] [data-testid="follows-add"]'));
    await act(flushTasks);
    expect(setRelation).toHaveBeenCalledExactlyOnceWith('follows', BEN.id, true);
    expect(rows('followed-user')).toHaveLength(1);
  });

  it('says so if there is nobody, and can be loaded again after a failure', async () => {
    const follows = vi.fn().mockRejectedValueOnce(new TypeError('fetch failed')).mockResolvedValue({ users: [] });
    const opponents = vi.fn().mockRejectedValueOnce(new TypeError('fetch failed')).mockResolvedValue({ opponents: [] });
    await renderFriends({ follows, opponents });
    click(findElement('[data-testid="followed"] .load-error button'));
    click(findElement('[data-testid="opponents"] .load-error button'));
    await act(flushTasks);
    expect([...document.querySelectorAll('.empty')].map(({ textContent }) => textContent)).toEqual([
      'You follow no one yet. Open a player’s profile to follow the player.',
      'You have not played with other people yet.',
    ]);
  });
});

describe('following', () => {
  it.each([
    ['an account', BEN, true],
    ['a guest', user('Gus'), false],
    ['oneself', account('Ada'), false],
  ] as const)('is offered on the page of a player: %s', async (_, shown, isOffered) => {
    const api = { follows: () => Promise.resolve(FOLLOWED), userPage: () => Promise.resolve({ user: shown, created_at_ms: 0, standings: [] }), matches: () => Promise.resolve({ matches: [] }) };
    renderPage(onlineClient(api).client, <UserPage user={shown.id} />);
    await act(flushTasks);
    // The button requests the followed users once it is there.
    await act(flushTasks);
    expect([exists('follows-remove'), exists('follows-add')]).toEqual([isOffered, false]);
  });

  it('is in the dialog about an account', async () => {
    const setRelation = vi.fn(() => Promise.resolve());
    renderPage(onlineClient({ setRelation }).client, <PlayerDialog />);
    act(() => {
      openPlayer.value = { user: BEN, moment: null };
    });
    await act(flushTasks);
    click(byTestId('follows-add'));
    await act(flushTasks);
    expect(byTestId('player-result').textContent).toBe('You follow Ben.');
    expect(setRelation).toHaveBeenCalledExactlyOnceWith('follows', BEN.id, true);
    click(findElement('dialog .icon-button'));
    await act(flushTasks);
    act(() => {
      openPlayer.value = { user: user('Gus'), moment: null };
    });
    expect([exists('mutes-add'), exists('follows-add')], 'a guest').toEqual([true, false]);
  });

  it('has the paths of the protocol', async () => {
    const fetch = vi.fn<(path: string, options?: RequestInit) => Promise<Response>>(() => Promise.resolve(new Response('{}')));
    vi.stubGlobal('fetch', fetch);
    await httpApi.follows();
    await httpApi.opponents();
    await httpApi.setRelation('follows', 'u', true);
    expect(fetch.mock.calls.map(([path, options]) => [options?.method ?? 'GET', path])).toEqual([
      ['GET', '/api/me/follows'],
      ['GET', '/api/me/opponents'],
      ['PUT', '/api/me/follows/u'],
    ]);
  });
});
