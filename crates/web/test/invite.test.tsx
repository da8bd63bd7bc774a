import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LinkVisitor, RefusalCode } from '../src/protocol/generated.ts';
import { text } from '../src/text/index.ts';
import { PlayPanel } from '../src/view/lobby/play-panel.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { MATCH, PRIVATE_SETTINGS, ScriptedMatch, SETTINGS, TABLE } from './support/match.ts';
import { click, closePage, byTestId, exists, renderPage, renderTable, renderTableAfterSnapshot } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const LINK = `http://192.168.1.7:8080/t/${TABLE}#invite=s3cret`;

/** A table that waits for players. Its host is Ada or another user. */
function waiting(host = 'Ada', held: Readonly<Record<string, string | null>> = { red: host }): ScriptedMatch {
  const match = new ScriptedMatch('dilkel', { red: null, blue: null, yellow: null, green: null, ...held });
  match.view = { settings: { ...PRIVATE_SETTINGS, variant: 'dilkel' }, host: user(host) };
  return match;
}

/** Counts the invites that are created. */
function invites(): { readonly asked: unknown[]; readonly createInvite: () => Promise<{ secret: string; expires_at_ms: number; origin: string }> } {
  const asked: unknown[] = [];
  const createInvite = (...body: unknown[]): Promise<{ secret: string; expires_at_ms: number; origin: string }> => {
    asked.push(body[1]);
    return Promise.resolve({ secret: 's3cret', expires_at_ms: 1, origin: 'http://192.168.1.7:8080' });
  };
  return { asked, createInvite };
}

/** Replaces the clipboard. Returns the list of copied texts. */
function clipboard(): string[] {
  const copied: string[] = [];
  vi.stubGlobal('navigator', {
    ...navigator,
    language: 'en',
    languages: ['en'],
    clipboard: { writeText: (words: string) => Promise.resolve(void copied.push(words)) },
  });
  return copied;
}

/** Opens the table with an invite as Ada, who has no seat. */
function openByInvite(match: ScriptedMatch): FakeSocket {
  history.replaceState(null, '', `/t/${TABLE}#invite=s3cret`);
  return renderTableAfterSnapshot(match, null);
}

function refuse(socket: FakeSocket, code: RefusalCode): void {
  const cmd = socket.ofKind('sit').at(-1)?.cmd ?? '';
  act(() => socket.receive({ t: 'refused', cmd, table: TABLE, code, message: 'no' }));
}

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '/');
});

afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
});

describe('the invite for all seats', () => {
  it('is created once and copied by one press, with an origin that friends can open', async () => {
    const copied = clipboard();
    const { asked, createInvite } = invites();
    renderTableAfterSnapshot(waiting(), 'red', [], { createInvite });
    expect(asked).toEqual([]);
    click(byTestId('copy-invite'));
    await act(flushTasks);
    expect(asked).toEqual([{ uses: 'open' }]);
    expect(copied).toEqual([LINK]);
    expect(byTestId<HTMLInputElement>('invite-for-all').value).toBe(LINK);
    click(byTestId('copy-invite'));
    await act(flushTasks);
    expect(asked).toHaveLength(1);
    closePage();
    renderTableAfterSnapshot(waiting(), 'red', [], { createInvite });
    expect(byTestId<HTMLInputElement>('invite-for-all').value, 'this tab keeps it').toBe(LINK);
  });

  it('is shared if the system supports it, and drawn as a QR code', async () => {
    const shared: unknown[] = [];
    vi.stubGlobal('navigator', { ...navigator, language: 'en', languages: ['en'], share: (data: unknown) => Promise.resolve(void shared.push(data)) });
    renderTableAfterSnapshot(waiting(), 'red', [], invites());
    click(byTestId('share-invite'));
    await act(flushTasks);
    expect(shared).toMatchObject([{ url: LINK }]);
    click(byTestId('qr-invite'));
    await vi.waitFor(() => expect(exists('qr-code')).toBe(true));
    expect(byTestId('qr-code').querySelector('path')?.getAttribute('d')?.length).toBeGreaterThan(1_000);
    click(byTestId('qr-invite'));
    await act(flushTasks);
    expect(exists('qr-code')).toBe(false);
  });

  it('is only for the host of a table with free seats', () => {
    renderTableAfterSnapshot(waiting('Ben'), null);
    expect(exists('invite')).toBe(false);
    closePage();
    renderTableAfterSnapshot(waiting('Ada', { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' }), 'red');
    expect(exists('invite')).toBe(false);
  });

  it('shows the host who has opened it', () => {
    const match = waiting('Ada', { red: 'Ada', green: 'Dora' });
    const socket = renderTableAfterSnapshot(match, 'red');
    expect(exists('link-visitors')).toBe(false);
    const visitor = (name: string, opened_at_ms: number): LinkVisitor => ({ user: user(name), kind: 'invite', opened_at_ms });
    const link_visitors = [visitor('Dora', 1), visitor('Ben', Date.UTC(2026, 0, 1, 12, 34))];
    act(() => socket.receive({ t: 'presence', table: TABLE, players: [], spectators: 1, link_visitors }));
    const said = [...document.querySelectorAll('[data-testid="link-visitor"]')].map((one) => one.textContent);
    expect(said[0]).toMatch(/^Ben.*at \d/);
    expect(said[1]).toMatch(/^Dora.*plays Green/);
  });

  it('comes with a private table from the first page', async () => {
    const { asked, createInvite } = invites();
    const made: unknown[] = [];
    const createTable = (body: unknown): Promise<{ table: string; match: string }> => {
      made.push(body);
      return Promise.resolve({ table: TABLE, match: MATCH });
    };
    renderPage(onlineClient({ createInvite, createTable }).client, <PlayPanel />);
    click(byTestId('with-friends'));
    await act(flushTasks);
    expect(made).toMatchObject([{ privacy: 'private', admission: 'invite', hotseat: false }]);
    expect(asked).toEqual([{ uses: 'open' }]);
    expect(location.pathname).toBe(`/t/${TABLE}`);
    closePage();
    renderTableAfterSnapshot(waiting(), 'red');
    expect(byTestId<HTMLInputElement>('invite-for-all').value).toBe(LINK);
  });
});

describe('an invite that is opened', () => {
  it('seats its visitor once', () => {
    const match = waiting('Ben');
    const socket = openByInvite(match);
    const [sit] = socket.ofKind('sit');
    expect(sit).toMatchObject({ table: TABLE, invite: 's3cret' });
    expect(sit).not.toHaveProperty('seat');
    act(() => socket.receive(match.step({ event: { type: 'seated', color: 'blue', user: user('Ada'), nonce: 'n' } })));
    act(() => socket.receive({ t: 'ack', table: TABLE, match: MATCH, cmd: sit?.cmd ?? '', seq: match.seq }));
    act(() => socket.receive(match.step({ event: { type: 'vacated', color: 'blue', reason: 'left' } })));
    expect(socket.ofKind('sit'), 'who leaves is not seated again').toHaveLength(1);
    closePage();
    expect(renderTableAfterSnapshot(match, null).ofKind('sit'), 'nor is one who loads the page again').toHaveLength(0);
    expect(exists('sit-any')).toBe(true);
  });

  it.each(['bad_invite', 'seat_taken', 'table_full'] as const)('shows why it gives no seat: %s', async (code) => {
    const socket = openByInvite(waiting('Ben'));
    refuse(socket, code);
    await act(flushTasks);
    expect(byTestId('no-seat').dataset['code']).toBe(code);
    expect(byTestId('no-seat').textContent).toContain(text.invite.refusals[code]);
    expect(socket.ofKind('sit')).toHaveLength(1);
  });

  it('shows that the match has started', () => {
    const match = waiting('Ben', { red: 'Ben', blue: 'Cleo', yellow: 'Dora', green: 'Eve' }).startMatch('red');
    const socket = openByInvite(match);
    expect(socket.ofKind('sit')).toEqual([]);
    expect(byTestId('no-seat').dataset['code']).toBe('already_started');
  });

  it('seats its visitor at a table that only players may watch', async () => {
    history.replaceState(null, '', `/t/${TABLE}#invite=s3cret`);
    const { socket } = renderTable();
    act(() => socket.receive({ t: 'refused', table: TABLE, code: 'forbidden', message: 'only those who sit may watch' }));
    expect(exists('missing'), 'it is not over yet').toBe(false);
    const [sit] = socket.ofKind('sit');
    expect(sit?.invite).toBe('s3cret');
    act(() => socket.receive({ t: 'ack', table: TABLE, match: MATCH, cmd: sit?.cmd ?? '', seq: 3 }));
    await act(flushTasks);
    expect(socket.ofKind('watch')).toHaveLength(2);
  });

  it('is reported as used, and the table not as missing', () => {
    const { socket } = renderTable();
    act(() => socket.receive({ t: 'refused', table: TABLE, code: 'bad_invite', message: 'the invite is used' }));
    expect(byTestId('missing').querySelector('h1')?.textContent).toBe(text.invite.linkUnusable);
  });
});

describe('the link to a public table', () => {
  const publicTable = (admission: 'open' | 'invite', watchers: 'everybody' | 'link' = 'everybody'): ScriptedMatch => {
    const match = waiting('Ben');
    match.view = { ...match.view, settings: { ...SETTINGS, variant: 'dilkel', admission, watchers } };
    return match;
  };

  it('seats its visitor once, and is passed on by players who are not the host', () => {
    renderTableAfterSnapshot(publicTable('open'), 'blue');
    const link = new URL(byTestId<HTMLInputElement>('table-link').value);
    expect(link.hash).toBe('#sit');
    closePage();
    history.replaceState(null, '', link.pathname + link.hash);
    const match = publicTable('open');
    const socket = renderTableAfterSnapshot(match, null);
    expect(location.hash).toBe('');
    const [sit] = socket.ofKind('sit');
    expect(sit).toMatchObject({ table: TABLE });
    expect(sit).not.toHaveProperty('invite');
    act(() => socket.receive(match.snapshot(null)));
    expect(socket.ofKind('sit')).toHaveLength(1);
  });

  it('seats nobody where an invite is needed, and promises no seat', () => {
    history.replaceState(null, '', `/t/${TABLE}#sit`);
    const socket = renderTableAfterSnapshot(publicTable('invite'), null);
    expect(socket.ofKind('sit')).toEqual([]);
    expect(byTestId<HTMLInputElement>('table-link').value).toBe(`${location.origin}/t/${TABLE}`);
    expect(document.body.textContent).toContain('Anyone with this link can watch.');
    closePage();
    renderTableAfterSnapshot(publicTable('invite', 'link'), null);
    expect(exists('table-link')).toBe(false);
  });
});

describe('a waiting table', () => {
  it('is filled with bots of the last level by one press', async () => {
    localStorage.setItem('quadrex.bot', '5');
    const socket = renderTableAfterSnapshot(waiting('Ada', { red: 'Ada', green: 'Dora' }), 'red');
    expect(byTestId('fill-with-bots').textContent).toContain('5 Club');
    click(byTestId('fill-with-bots'));
    await act(flushTasks);
    const bot = { kind: 'built_in', level: 5 };
    expect(socket.ofKind('add_bot')).toMatchObject([{ seat: 'blue', bot }, { seat: 'yellow', bot }]);
  });

  it('informs a kicked player and offers no seat', () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ben', blue: 'Ada', yellow: null, green: null });
    match.view = { host: user('Ben') };
    const socket = renderTableAfterSnapshot(match, 'blue');
    expect(exists('kicked')).toBe(false);
    act(() => socket.receive(match.step({ event: { type: 'vacated', color: 'blue', reason: 'kicked' } })));
    expect(byTestId('kicked').textContent).toContain(text.invite.kicked);
    expect(document.querySelectorAll('[data-testid^="sit-"]')).toHaveLength(0);
    closePage();
    match.view = { ...match.view, kicked: true };
    renderTableAfterSnapshot(match, null);
    expect(exists('kicked'), 'after a reload too').toBe(true);
    expect(document.querySelectorAll('[data-testid^="sit-"]')).toHaveLength(0);
  });

  it('reports no kick to a player who left, or when another player was kicked', () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ben', blue: 'Ada', yellow: 'Cleo', green: null });
    const socket = renderTableAfterSnapshot(match, 'blue');
    act(() => socket.receive(match.step({ event: { type: 'vacated', color: 'yellow', reason: 'kicked' } })));
    act(() => socket.receive(match.step({ event: { type: 'vacated', color: 'blue', reason: 'left' } })));
    expect(exists('kicked')).toBe(false);
    expect(exists('sit-blue')).toBe(true);
  });
});
