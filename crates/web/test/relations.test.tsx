import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { RelatedUsers } from '../src/protocol/generated.ts';
import { httpApi, type Api } from '../src/store/api.ts';
import { persistenceIn } from '../src/store/persistence.ts';
import { Relations } from '../src/store/relations.ts';
import { openPlayer } from '../src/view/people/open-player.ts';
import { PlayerDialog } from '../src/view/people/player-dialog.tsx';
import { HiddenUsersSection } from '../src/view/settings/hidden-users-section.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, findElement, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const [ADA, BEN, CLEO] = [user('Ada'), user('Ben'), user('Cleo')];
const listed = { mutes: [{ user: BEN, since_ms: 1 }], blocks: [{ user: CLEO, since_ms: 2 }] };

beforeEach(() => localStorage.clear());
afterEach(() => {
  closePage();
  openPlayer.value = null;
  vi.unstubAllGlobals();
});

const answer = (kind: 'mutes' | 'blocks'): Promise<RelatedUsers> => Promise.resolve({ users: listed[kind] });

/** Returns the lists of Ada, with these routes. */
function listsOfAda(api: Partial<Pick<Api, 'relations' | 'follows' | 'setRelation'>> = {}): Relations {
  const lists = new Relations({ relations: answer, follows: () => Promise.resolve({ users: [{ user: BEN, since_ms: 0 }] }), setRelation: () => Promise.resolve(), ...api }, persistenceIn(() => localStorage));
  lists.follow(ADA);
  return lists;
}

describe('the lists', () => {
  it('are loaded once for each user', async () => {
    const relations = vi.fn(answer);
    const lists = listsOfAda({ relations });
    await Promise.all([lists.load(), lists.load()]);
    lists.follow({ ...ADA, name: 'Countess' });
    await lists.load();
    expect(relations).toHaveBeenCalledTimes(2);
    expect([...lists.hidden.value]).toEqual([BEN.id, CLEO.id]);
    lists.follow(BEN);
    expect([...lists.hidden.value]).toEqual([]);
    await lists.load();
    expect(relations).toHaveBeenCalledTimes(4);
    lists.follow(null);
    await lists.load();
    expect(relations, 'nobody has no lists').toHaveBeenCalledTimes(4);
  });

  it('are loaded again after a failure', async () => {
    const relations = vi.fn(answer).mockRejectedValueOnce(new TypeError('fetch failed'));
    const lists = listsOfAda({ relations });
    await expect(lists.load()).rejects.toThrow('fetch failed');
    await lists.load();
    expect(lists.has('mutes', BEN.id)).toBe(true);
  });

  it('of an earlier user are not shown to a later one', async () => {
    let release: () => void = () => {};
    const waits = new Promise<void>((resolve) => (release = resolve));
    const lists = listsOfAda({ relations: async (kind) => (await waits, answer(kind)) });
    const loading = lists.load();
    lists.follow(BEN);
    release();
    await loading;
    expect([...lists.hidden.value]).toEqual([]);
  });

  it('change at once, and change back if the server refuses', async () => {
    const setRelation = vi.fn(() => Promise.reject(new Refusal('list_full' as never, 'full')));
    const lists = listsOfAda({ setRelation });
    await lists.load();
    const change = lists.set('blocks', BEN, true);
    expect(lists.blocks.value.map(({ user: one }) => one.name)).toEqual(['Ben', 'Cleo']);
    await expect(change).rejects.toThrow('full');
    expect(lists.blocks.value.map(({ user: one }) => one.name)).toEqual(['Cleo']);
  });

  it.each([
    ['["a", "b"]', ['a', 'b']],
    ['[1, "a"]', ['a']],
    ['{', []],
    ['7', []],
  ])('take over the users that were muted in this browser: %s', async (stored, ids) => {
    localStorage.setItem('quadrex.muted', stored);
    const setRelation = vi.fn(() => Promise.reject(new Refusal('not_found', 'no such user')));
    await listsOfAda({ setRelation }).load();
    expect(setRelation.mock.calls).toEqual(ids.map((id) => ['mutes', id, true]));
    await listsOfAda({ setRelation }).load();
    expect(setRelation, 'only once').toHaveBeenCalledTimes(ids.length);
  });
});

it('the followed users are loaded once, or again when that is wanted or has failed', async () => {
  const follows = vi.fn(() => Promise.resolve({ users: [{ user: BEN, since_ms: 0 }] })).mockRejectedValueOnce(new TypeError('fetch failed'));
  const lists = listsOfAda({ follows });
  await expect(lists.loadFollowsOnce()).rejects.toThrow('fetch failed');
  await Promise.all([lists.loadFollowsOnce(), lists.loadFollowsOnce()]);
  expect(follows).toHaveBeenCalledTimes(2);
  expect([lists.has('follows', BEN.id), lists.hidden.value.has(BEN.id)]).toEqual([true, false]);
  await lists.loadFollows();
  expect(follows).toHaveBeenCalledTimes(3);
  lists.follow(CLEO);
  expect(lists.follows.value).toEqual([]);
  await lists.loadFollowsOnce();
  expect(follows).toHaveBeenCalledTimes(4);
});

it('the dialog about a player mutes and blocks, and ends that', async () => {
  const setRelation = vi.fn().mockRejectedValueOnce(new TypeError('fetch failed')).mockResolvedValue(undefined);
  const { client } = onlineClient({ relations: answer, setRelation });
  renderPage(client, <PlayerDialog />);
  act(() => {
    openPlayer.value = { user: BEN, moment: null };
  });
  await act(flushTasks);
  expect([exists('mutes-remove'), exists('blocks-add')]).toEqual([true, true]);
  click(byTestId('mutes-remove'));
  await act(flushTasks);
  expect(noticesOf(client)).toEqual(['The server cannot be reached.']);
  expect(byTestId('player-result').textContent).toBe('');
  click(byTestId('mutes-remove'));
  await act(flushTasks);
  expect(setRelation).toHaveBeenLastCalledWith('mutes', BEN.id, false);
  expect(byTestId('player-result').textContent).toBe('Ben is no longer muted.');
  click(byTestId('blocks-add'));
  await act(flushTasks);
  expect(setRelation).toHaveBeenLastCalledWith('blocks', BEN.id, true);
  expect(byTestId('player-result').textContent).toContain('Ben cannot join your tables.');
  expect(exists('blocks-remove')).toBe(true);
});

it('the settings list the blocked and muted users, and remove them', async () => {
  const setRelation = vi.fn(() => Promise.resolve());
  const relations = vi.fn(answer).mockRejectedValueOnce(new TypeError('fetch failed'));
  renderPage(onlineClient({ relations, setRelation }).client, <HiddenUsersSection user={ADA} />);
  await act(flushTasks);
  click(findElement('.load-error button'));
  await act(flushTasks);
  expect([byTestId('list-blocks').textContent, byTestId('list-mutes').textContent]).toEqual(['CleoUnblock', 'BenUnmute']);
  expect(byTestId('blocks-remove').getAttribute('aria-label')).toBe('Unblock: Cleo');
  click(byTestId('blocks-remove'));
  await act(flushTasks);
  expect(setRelation).toHaveBeenCalledExactlyOnceWith('blocks', CLEO.id, false);
  expect(exists('list-blocks')).toBe(false);
  expect(byTestId('hidden-users-result').textContent).toBe('Cleo is no longer blocked.');
  expect(document.activeElement?.id).toBe('hidden-users-title');
});

it('the requests have the paths of the protocol', async () => {
  const fetch = vi.fn<(path: string, options?: RequestInit) => Promise<Response>>(() => Promise.resolve(new Response('{}')));
  vi.stubGlobal('fetch', fetch);
  await httpApi.relations('mutes');
  await httpApi.setRelation('blocks', 'u', true);
  await httpApi.setRelation('mutes', 'u', false);
  expect(fetch.mock.calls.map(([path, options]) => [options?.method ?? 'GET', path])).toEqual([
    ['GET', '/api/me/mutes'],
    ['PUT', '/api/me/blocks/u'],
    ['DELETE', '/api/me/mutes/u'],
  ]);
});
