import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InvitationView, SentInvitation, UserView } from '../src/protocol/generated.ts';
import { httpApi, type Api } from '../src/store/api.ts';
import { InvitationList } from '../src/view/invitations/invitation-list.tsx';
import { InvitationNotice } from '../src/view/invitations/invitation-notice.tsx';
import { InviteDialog } from '../src/view/invitations/invite-dialog.tsx';
import { invitedPlayer } from '../src/view/invitations/invite-player.ts';
import { FriendsPage } from '../src/view/people/friends-page.tsx';
import { openPlayer } from '../src/view/people/open-player.ts';
import { PlayerDialog } from '../src/view/people/player-dialog.tsx';
import { page } from '../src/view/router.ts';
import { seats, user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { ownTable } from './support/lobby.ts';
import { MATCH, PRIVATE_SETTINGS, ScriptedMatch, TABLE } from './support/match.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, findElement, renderMatch, renderPage, renderTableAfterSnapshot } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const account = (name: string): UserView => ({ ...user(name), account: true });
const [BEN, CLEO, DORA] = [account('Ben'), account('Cleo'), account('Dora')];
const OTHER = '0192f0c1-2345-7000-8000-000000000002';

function invitation(table: string, from: UserView, more: Partial<InvitationView> = {}): InvitationView {
  const { table: id, settings, host, phase, plies, spectators, created_at_ms } = ownTable(table);
  const summary = { table: id, settings: { ...settings, variant: 'dilkel' as const }, host, phase, plies, spectators, created_at_ms, seats: seats({ red: from.name, blue: 'Cleo', yellow: null, green: null }) };
  return { table: summary, from, invited_at_ms: 1, expires_at_ms: 2, ...more };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  closePage();
  openPlayer.value = null;
  invitedPlayer.value = null;
  page.value = { kind: 'lobby' };
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

const rows = (): (string | null)[] => [...document.querySelectorAll('[data-testid="invitation-row"]')].map(({ textContent }) => textContent);

describe('the invitations of the user', () => {
  function open(kind: 'list' | 'notice', api: Partial<Api> = {}) {
    const online = onlineClient(api);
    renderPage(online.client, kind === 'list' ? <InvitationList /> : <InvitationNotice />);
    const receive = (...invitations: InvitationView[]): void => void act(() => online.socket.receive({ t: 'invitations', invitations }));
    return { ...online, receive };
  }

  it('are listed on the first page, with the host, the game, the seat and the other players', () => {
    const { receive } = open('list');
    expect(exists('invitations')).toBe(false);
    receive(invitation(TABLE, BEN, { seat: 'yellow' }), invitation(OTHER, DORA));
    expect(rows()).toEqual([
      expect.stringContaining('Beninvites youDilkel · No clocks · Yellow seat · with Cleo'),
      expect.stringContaining('Dorainvites youDilkel · No clocks · with Cleo'),
    ]);
    receive(invitation(OTHER, DORA));
    expect(rows()).toHaveLength(1);
  });

  it('are shown on every page, the newest first; one put aside makes room for the next', () => {
    const { receive } = open('notice');
    receive(invitation(TABLE, BEN), invitation(OTHER, DORA));
    expect(byTestId('invitation').textContent).toContain('Ben invites you to play');
    click(byTestId('invitation-later'));
    expect(byTestId('invitation').textContent).toContain('Dora invites you to play');
    receive(invitation(TABLE, BEN, { invited_at_ms: 9 }), invitation(OTHER, DORA));
    expect(byTestId('invitation').textContent, 'a later invitation to the same table').toContain('Ben');
    receive();
    expect(exists('invitation')).toBe(false);
  });

  it('are accepted with a link that gives a seat', async () => {
    const acceptInvitation = vi.fn(() => Promise.resolve({ secret: 's3cret', expires_at_ms: 1 }));
    const { receive, client } = open('notice', { acceptInvitation });
    receive(invitation(TABLE, BEN));
    click(byTestId('invitation-accept'));
    await act(flushTasks);
    expect(acceptInvitation).toHaveBeenCalledExactlyOnceWith(TABLE);
    expect(location.pathname + location.hash).toBe(`/t/${TABLE}#invite=s3cret`);
    expect(page.value).toEqual({ kind: 'table', table: TABLE });
    expect(client.invitations.list.value).toEqual([]);
  });

  it('are declined; after a failure they stay', async () => {
    const declineInvitation = vi.fn().mockRejectedValueOnce(new TypeError('fetch failed')).mockResolvedValue(undefined);
    const { receive, client } = open('list', { declineInvitation });
    receive(invitation(TABLE, BEN), invitation(OTHER, DORA));
    click(byTestId('invitation-decline'));
    await act(flushTasks);
    expect(noticesOf(client)).toEqual(['The server cannot be reached.']);
    expect(rows()).toHaveLength(2);
    click(byTestId('invitation-decline'));
    await act(flushTasks);
    expect(declineInvitation).toHaveBeenLastCalledWith(TABLE);
    expect(rows()).toEqual([expect.stringContaining('Dora')]);
  });

  it('of another user are not shown', () => {
    const { receive, client } = open('list');
    receive(invitation(TABLE, BEN));
    act(() => void (client.user.value = CLEO));
    expect(rows()).toEqual([]);
  });

  it('cause a notification if the page is hidden and the user wants notifications', async () => {
    const shown: unknown[] = [];
    vi.stubGlobal(
      'Notification',
      class {
        static permission = 'granted';
        constructor(title: string, { body }: { body: string }) {
          shown.push([title, body]);
        }
        addEventListener(): void {}
        close(): void {}
      },
    );
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    const { receive, client } = open('list');
    client.preferences.notify.value = true;
    closePage();
    renderPage(client, <InvitationNotice />);
    receive(invitation(TABLE, BEN, { invited_at_ms: 5 }));
    receive(invitation(TABLE, BEN, { invited_at_ms: 5 }));
    await act(flushTasks);
    hidden.mockReturnValue(false);
    receive(invitation(TABLE, BEN, { invited_at_ms: 6 }));
    await act(flushTasks);
    hidden.mockRestore();
    expect(shown).toEqual([['Ben invites you to play', 'Dilkel · No clocks']]);
  });
});

describe('inviting a player', () => {
  async function openDialog(api: Partial<Api>, tables: Parameters<typeof ownTable>[1][] = []) {
    const online = onlineClient(api);
    renderPage(online.client, <InviteDialog />);
    act(() => online.socket.receive({ t: 'own_tables', tables: tables.map((more, index) => ownTable(index === 0 ? TABLE : OTHER, more)) }));
    act(() => void (invitedPlayer.value = BEN));
    await act(flushTasks);
    return online;
  }

  it('creates a table first if the user has no open one', async () => {
    const invite = vi.fn(() => Promise.resolve());
    const createTable = vi.fn(() => Promise.resolve({ table: TABLE, match: MATCH }));
    const { client } = await openDialog({ invite, createTable }, [{ phase: 'running' }, { host: CLEO }]);
    expect(findElement('dialog').getAttribute('aria-label')).toBe('Invite Ben');
    expect(exists('set-bots'), 'the other seats are for people').toBe(false);
    click(byTestId('create'));
    await act(flushTasks);
    expect(createTable).toHaveBeenCalledTimes(1);
    expect(invite).toHaveBeenCalledExactlyOnceWith(TABLE, { user: BEN.id });
    expect(noticesOf(client)).toEqual(['Invited: Ben']);
    expect([location.pathname, invitedPlayer.value]).toEqual([`/t/${TABLE}`, null]);
  });

  it('offers the open tables of the user', async () => {
    const invite = vi.fn(() => Promise.resolve());
    const { client } = await openDialog({ invite }, [{}]);
    click(byTestId('invite-to-table'));
    await act(flushTasks);
    expect(invite).toHaveBeenCalledExactlyOnceWith(TABLE, { user: BEN.id });
    expect(noticesOf(client)).toEqual(['Invited: Ben']);
    expect(document.querySelector('dialog')).toBeNull();
  });

  it.each([
    [true, 'Declined'],
    [undefined, 'Invited'],
  ])('is not possible twice to the same table (declined: %s)', async (declined, state) => {
    const sent: SentInvitation = { user: BEN, invited_at_ms: 1, expires_at_ms: 2, ...(declined && { declined }) };
    await openDialog({ sentInvitations: (table) => Promise.resolve({ invitations: table === TABLE ? [sent] : [] }) }, [{}, {}]);
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-testid="invite-to-table"]')];
    expect(buttons.map(({ disabled }) => disabled)).toEqual([true, false]);
    expect(buttons.map((button) => button.querySelector('.invited-state')?.textContent)).toEqual([state, undefined]);
  });

  it('is possible on the page of friends and in the dialog about a player', async () => {
    const { client } = onlineClient({
      follows: () => Promise.resolve({ users: [{ user: BEN, since_ms: 1 }] }),
      opponents: () => Promise.resolve({ opponents: [{ user: CLEO, matches: 1, last_at_ms: 0, relation: {} }] }),
    });
    renderPage(client, <FriendsPage />);
    await act(flushTasks);
    click(byTestId(`invite-player-${BEN.id}`));
    expect(invitedPlayer.value).toEqual(BEN);
    click(byTestId(`invite-player-${CLEO.id}`));
    expect(invitedPlayer.value).toEqual(CLEO);
    closePage();
    openPlayer.value = { user: DORA, moment: null };
    renderPage(client, <PlayerDialog />);
    await act(flushTasks);
    click(byTestId(`invite-player-${DORA.id}`));
    expect([invitedPlayer.value, openPlayer.value]).toEqual([DORA, null]);
  });
});

describe('the players to invite at an open table', () => {
  function waiting(host = 'Ada'): ScriptedMatch {
    const match = new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Cleo', yellow: null, green: null });
    match.view = { settings: { ...PRIVATE_SETTINGS, variant: 'dilkel' }, host: user(host) };
    return match;
  }

  async function openPlayers(api: Partial<Api>): Promise<void> {
    renderTableAfterSnapshot(waiting(), 'red', undefined, { opponents: () => Promise.resolve({ opponents: [{ user: DORA, matches: 1, last_at_ms: 0, relation: {} }] }), follows: () => Promise.resolve({ users: [BEN, CLEO].map((one) => ({ user: one, since_ms: 1 })) }), ...api });
    await act(flushTasks);
    const details = findElement<HTMLDetailsElement>('.invite-players');
    act(() => {
      details.open = true;
      details.dispatchEvent(new Event('toggle'));
    });
    await act(flushTasks);
  }

  const listed = (): (string | null)[] => [...document.querySelectorAll('.invite-players li')].map(({ textContent }) => textContent);

  it('are followed players and recent opponents without a seat; an invitation can be withdrawn', async () => {
    const [invite, withdrawInvitation] = [vi.fn(() => Promise.resolve()), vi.fn(() => Promise.resolve())];
    const invitations = (): SentInvitation[] => (invite.mock.calls.length === 0 ? [] : [{ user: DORA, invited_at_ms: 1, expires_at_ms: 2 }]);
    await openPlayers({ invite, withdrawInvitation, sentInvitations: () => Promise.resolve({ invitations: invitations() }) });
    expect(listed()).toEqual(['BenInvite', 'DoraInvite']);
    click(byTestId(`invite-${DORA.id}`));
    await act(flushTasks);
    expect(invite).toHaveBeenCalledExactlyOnceWith(TABLE, { user: DORA.id });
    expect(listed()).toEqual(['DoraInvitedWithdraw', 'BenInvite']);
    click(byTestId(`withdraw-${DORA.id}`));
    await act(flushTasks);
    expect(withdrawInvitation).toHaveBeenCalledExactlyOnceWith(TABLE, DORA.id);
    expect(listed()).toEqual(['BenInvite', 'DoraInvite']);
  });

  it('include one who has declined since the list was loaded', async () => {
    let invitations: SentInvitation[] = [];
    await openPlayers({ sentInvitations: () => Promise.resolve({ invitations }), invite: () => Promise.resolve() });
    invitations = [{ user: BEN, invited_at_ms: 1, expires_at_ms: 2, declined: true }];
    click(byTestId(`invite-${BEN.id}`));
    await act(flushTasks);
    expect(listed()).toEqual(['BenDeclined', 'DoraInvite']);
  });

  it('include those who have declined', async () => {
    const invitations: SentInvitation[] = [{ user: BEN, invited_at_ms: 1, expires_at_ms: 2, declined: true }];
    await openPlayers({ sentInvitations: () => Promise.resolve({ invitations }) });
    expect(listed()).toEqual(['BenDeclined', 'DoraInvite']);
  });

  it('are offered to the host only', async () => {
    renderTableAfterSnapshot(waiting('Cleo'), 'red');
    await act(flushTasks);
    expect(exists('invite-players')).toBe(false);
  });
});

describe('inviting the players of an ended match again', () => {
  function over(): ScriptedMatch {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    const outcome = { reason: 'resign', places: { white: 1, black: 2 } } as const;
    match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } });
    return match;
  }
  const again = () => vi.fn(() => Promise.resolve({ table: OTHER, match: MATCH, invited: [BEN] }));

  it('is possible at the table', async () => {
    const inviteAgain = again();
    renderTableAfterSnapshot(over(), 'white', undefined, { inviteAgain });
    await act(flushTasks);
    click(byTestId('invite-again'));
    await act(flushTasks);
    expect(inviteAgain).toHaveBeenCalledExactlyOnceWith(MATCH);
    expect(location.pathname).toBe(`/t/${OTHER}`);
  });

  it.each([
    ['of a player', 'white', true],
    ['of a spectator', null, false],
  ] as const)('is possible on the page of the match %s: %s', async (_, yours, isPossible) => {
    const match = over();
    if (yours === null) match.seats = seats({ white: 'Cleo', black: 'Ben' });
    await renderMatch('', { inviteAgain: again(), match: () => Promise.resolve({ table: TABLE, match: MATCH, seq: match.seq, view: match.snapshot(yours).view }) });
    expect(exists('invite-again')).toBe(isPossible);
  });
});

it('the routes of invitations', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (path: string, { method, body }: { method?: string; body?: string } = {}) => {
    sent.push([method ?? 'GET', path, body === undefined ? null : Object.keys(JSON.parse(body) as object)]);
    return Promise.resolve(new Response('{"invitations": []}'));
  });
  await httpApi.invite(TABLE, { user: BEN.id });
  await httpApi.sentInvitations(TABLE);
  await httpApi.withdrawInvitation(TABLE, BEN.id);
  await httpApi.acceptInvitation(TABLE);
  await httpApi.declineInvitation(TABLE);
  await httpApi.inviteAgain(MATCH);
  expect(sent).toEqual([
    ['POST', `/api/tables/${TABLE}/invitations`, ['user']],
    ['GET', `/api/tables/${TABLE}/invitations`, null],
    ['DELETE', `/api/tables/${TABLE}/invitations/${BEN.id}`, null],
    ['POST', `/api/me/invitations/${TABLE}/accept`, null],
    ['DELETE', `/api/me/invitations/${TABLE}`, null],
    ['POST', `/api/matches/${MATCH}/invite-again`, ['cmd']],
  ]);
});
