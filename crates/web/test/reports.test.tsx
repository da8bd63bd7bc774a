import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { AdminReport, AdminReportDetails, UserView } from '../src/protocol/generated.ts';
import { httpAdminApi, type AdminApi } from '../src/store/admin-api.ts';
import { httpApi, type Api } from '../src/store/api.ts';
import { text } from '../src/text/index.ts';
import { AdminPage } from '../src/view/admin/admin-page.tsx';
import { PlayerDialog } from '../src/view/people/player-dialog.tsx';
import { openPlayer } from '../src/view/people/open-player.ts';
import { parseAddress, type AdminPlace } from '../src/view/router.ts';
import { TablePage } from '../src/view/table/table-page.tsx';
import { UserPage } from '../src/view/user/user-page.tsx';
import { NO_ADMIN_API } from './support/admin.ts';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { noticesOf } from './support/notices.ts';
import { byTestId, click, closePage, exists, fillField, findElement, renderPage } from './support/page.tsx';
import { MATCH, ScriptedMatch, TABLE } from './support/match.ts';
import { onlineClient } from './support/stub-client.ts';

const BEN = user('Ben');

beforeEach(() => localStorage.clear());
afterEach(() => {
  closePage();
  openPlayer.value = null;
  vi.unstubAllGlobals();
});

const playerButtons = (id: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[data-testid="player-${id}"]`)];

describe('a report', () => {
  /** Renders Ada's table with a message of Ben, and the dialog. */
  async function renderTable(report: Api['report'] = () => Promise.resolve()) {
    const online = onlineClient({ report });
    renderPage(
      online.client,
      <>
        <TablePage table={TABLE} />
        <PlayerDialog />
      </>,
    );
    const match = new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' }).startMatch('red');
    act(() => online.socket.receive(match.snapshot('red', ['h2h4'])));
    act(() => online.socket.receive({ ...match.step({ event: { type: 'message_sent', user: BEN, color: 'blue', room: 'seated', message: { text: 'you fool' } } }), legal_moves: ['h2h4'] }));
    const message = match.seq;
    act(() => online.socket.receive({ ...match.step({ event: { type: 'message_sent', user: user('Ada'), color: 'red', room: 'seated', message: { text: 'hey' } } }), legal_moves: ['h2h4'] }));
    await act(flushTasks);
    return { ...online, message, at: match.seq };
  }

  async function send(reason: string | null, note: string): Promise<void> {
    if (reason !== null) click(byTestId(`reason-${reason}`));
    fillField('report-text', note);
    act(() => void byTestId('report-form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
    await act(flushTasks);
  }

  it('from a plate names the match and the last event', async () => {
    const report = vi.fn(() => Promise.resolve());
    const { at } = await renderTable(report);
    click(findElement(`[data-testid="seat-blue"] [data-testid="player-${BEN.id}"]`));
    expect(findElement('dialog').getAttribute('aria-label')).toBe('Ben');
    expect(byTestId('player-page').getAttribute('href')).toBe(`/u/${BEN.id}`);
    click(byTestId('report'));
    expect(findElement('dialog').getAttribute('aria-label')).toBe('Report Ben');
    expect([...document.querySelectorAll('[name="report-reason"]')]).toHaveLength(6);
    expect(document.querySelector('[name="report-reason"]:checked')).toBeNull();
    await send('stalling', ' He waits.\nAll the time. ');
    expect(report).toHaveBeenCalledExactlyOnceWith({ user: BEN.id, reason: 'stalling', text: 'He waits.\nAll the time.', moment: { match: MATCH, at } });
    expect(byTestId('report-thanks').textContent).toContain('Thank you.');
  });

  it('from a chat line names the message, and is about the chat unless the user chooses otherwise', async () => {
    const report = vi.fn(() => Promise.resolve());
    const { at, message } = await renderTable(report);
    click(byTestId('tab-chat'));
    click(findElement(`[data-testid="chat-log"] [data-testid="player-${BEN.id}"]`));
    click(byTestId('report'));
    await send(null, '');
    expect(report).toHaveBeenCalledExactlyOnceWith({ user: BEN.id, reason: 'chat', moment: { match: MATCH, at, message } });
  });

  it('is sent only with a reason, and stays open with the error if it is refused', async () => {
    const report = vi.fn().mockRejectedValueOnce(new Refusal('rate_limited', 'slow down', 60)).mockResolvedValue(undefined);
    await renderTable(report);
    click(findElement(`[data-testid="seat-blue"] [data-testid="player-${BEN.id}"]`));
    click(byTestId('report'));
    await send(null, 'no reason');
    expect(report).not.toHaveBeenCalled();
    await send('cheating', 'an engine');
    expect(byTestId('report-error').textContent).toBe('Too many attempts. Try again in 60 s.');
    expect(exists('report-thanks')).toBe(false);
    await send(null, 'an engine');
    expect(exists('report-thanks')).toBe(true);
  });

  it('is not offered about oneself', async () => {
    await renderTable();
    click(byTestId('tab-chat'));
    expect(playerButtons(user('Ada').id)).toEqual([]);
    expect(playerButtons(BEN.id)).toHaveLength(2);
  });

  it.each<[string, UserView, boolean]>([
    ['another user', BEN, true],
    ['oneself', user('Ada'), false],
    ['a bot with an account', { ...BEN, bot: { kind: 'account' } } as UserView, true],
    ['a bot of the server', { ...BEN, bot: { kind: 'built_in', level: 3 } } as UserView, false],
  ])('from the page of a player: %s', async (_, shown, isOffered) => {
    const report = vi.fn(() => Promise.resolve());
    const api = { report, userPage: () => Promise.resolve({ user: shown, created_at_ms: 0, standings: [] }), matches: () => Promise.resolve({ matches: [] }) };
    renderPage(
      onlineClient(api).client,
      <>
        <UserPage user={shown.id} />
        <PlayerDialog />
      </>,
    );
    await act(flushTasks);
    expect(exists('report-user')).toBe(isOffered);
    if (!isOffered) return;
    click(byTestId('report-user'));
    click(byTestId('report'));
    expect([...document.querySelectorAll<HTMLElement>('[name="report-reason"]')].map(({ dataset }) => dataset['testid'])).toEqual(['reason-name', 'reason-other']);
    await send('name', '');
    expect(report).toHaveBeenCalledExactlyOnceWith({ user: shown.id, reason: 'name' });
  });
});

describe('the pages about reports', () => {
  const REPORT: AdminReport = {
    number: 7,
    reporter: user('Ada'),
    reported: user('Ben'),
    reported_name: 'Benny',
    reason: 'chat',
    text: 'He insulted me.',
    moment: { table: TABLE, match: MATCH, at: 12, message: 11 },
    created_at_ms: 0,
  };
  const DETAILS: AdminReportDetails = {
    report: REPORT,
    path: `/m/${MATCH}?ply=4`,
    messages: [
      { seq: 11, at_ms: 0, user: BEN, color: 'blue', room: 'seated', message: { text: 'you fool' } },
      { seq: 12, at_ms: 0, user: user('Eve'), room: 'bystanders', message: { phrase: 'oops' } },
    ],
    notation: '1. h2h4',
    reports_about: 3,
    open_reports_about: 2,
  };
  const CLOSED = { ...DETAILS, report: { ...REPORT, closed: { at_ms: 0, by: user('Olga'), outcome: 'warned', note: 'first time' } } } satisfies AdminReportDetails;

  async function renderAdmin(place: AdminPlace, api: Partial<AdminApi>) {
    const online = onlineClient();
    renderPage(online.client, <AdminPage place={place} api={{ ...NO_ADMIN_API, ...api }} />);
    await act(flushTasks);
    return online;
  }

  const rows = (): (string | null)[] => [...document.querySelectorAll('[data-testid="report-row"]')].map(({ textContent }) => textContent);

  it.each<[string, AdminPlace]>([
    ['/admin/reports', { kind: 'reports', state: 'open' }],
    ['/admin/reports?state=closed', { kind: 'reports', state: 'closed' }],
    ['/admin/reports/7', { kind: 'report', number: 7 }],
  ])('have the address %s', (address, place) => {
    expect(parseAddress(new URL(address, location.origin))).toEqual({ kind: 'admin', place });
  });

  it('list the reports page by page', async () => {
    const reports = vi.fn().mockResolvedValueOnce({ reports: [REPORT], next: 7 }).mockRejectedValueOnce(new TypeError('fetch failed')).mockResolvedValue({ reports: [{ ...REPORT, number: 6, reported_name: 'Cleo' }] });
    const { client } = await renderAdmin({ kind: 'reports', state: 'open' }, { reports });
    expect(reports).toHaveBeenLastCalledWith({ state: 'open' });
    expect(rows()).toEqual([`Benny: Insults or spam in the chat${text.moment(0)} · reported by AdaHe insulted me.`]);
    expect(findElement('[data-testid="report-row"] a').getAttribute('href')).toBe('/admin/reports/7');
    click(byTestId('reports-more'));
    await act(flushTasks);
    expect(noticesOf(client)).toEqual(['The server cannot be reached.']);
    click(byTestId('reports-more'));
    await act(flushTasks);
    expect(reports).toHaveBeenLastCalledWith({ state: 'open', before: 7 });
    expect(rows().map((row) => row?.slice(0, 5))).toEqual(['Benny', 'Cleo:']);
    expect(exists('reports-more')).toBe(false);
  });

  it('list the closed reports with their outcomes', async () => {
    await renderAdmin({ kind: 'reports', state: 'closed' }, { reports: () => Promise.resolve({ reports: [CLOSED.report] }) });
    expect(rows()[0]).toContain('User warned');
    closePage();
    await renderAdmin({ kind: 'reports', state: 'closed' }, { reports: () => Promise.resolve({ reports: [] }) });
    expect(findElement('.empty').textContent).toBe('No report has been closed yet.');
  });

  it('show the facts, the match, and the chat with the reported message', async () => {
    await renderAdmin({ kind: 'report', number: 7 }, { report: () => Promise.resolve(DETAILS) });
    const facts = byTestId('report-facts').textContent;
    for (const fact of ['Reported userBen (Benny at the time of the report)', 'ReasonInsults or spam', 'He insulted me.', 'Reported byAda', '3 in all, 2 open']) expect(facts).toContain(fact);
    expect(byTestId('report-match').getAttribute('href')).toBe(`/m/${MATCH}?ply=4`);
    const lines = [...byTestId('report-messages').children] as HTMLElement[];
    expect(lines.map(({ dataset }) => dataset['reported'])).toEqual(['true', 'false']);
    expect(lines[0]?.textContent).toContain('Ben you foolReported');
    expect(lines[1]?.textContent).toContain('Eve spectator Oops!');
    expect(findElement('pre').textContent).toBe('1. h2h4');
  });

  it('close a report with an outcome and a note', async () => {
    const closeReport = vi.fn().mockRejectedValueOnce(new TypeError('fetch failed')).mockResolvedValue(CLOSED);
    await renderAdmin({ kind: 'report', number: 7 }, { report: () => Promise.resolve(DETAILS), closeReport });
    const select = byTestId<HTMLSelectElement>('set-outcome');
    expect(select.options).toHaveLength(6);
    act(() => {
      select.value = 'warned';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    fillField('note-input', ' first\ntime ');
    const submit = async (): Promise<void> => {
      act(() => void byTestId('close-report-form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
      await act(flushTasks);
    };
    await submit();
    expect(byTestId('wrong-outcome').textContent).toBe('The server cannot be reached.');
    await submit();
    expect(closeReport).toHaveBeenLastCalledWith(7, { outcome: 'warned', note: 'first time' });
    expect(exists('close-report-form')).toBe(false);
    expect(byTestId('report-closure').textContent).toBe(`User warnedfirst timeClosed by Olga, ${text.moment(0)}`);
    expect(document.activeElement).toBe(findElement('h1'));
  });

  it('close the table of a report', async () => {
    const closeTable = vi.fn().mockRejectedValueOnce(new Refusal('internal', 'a fault')).mockResolvedValue({ table: TABLE, match: MATCH });
    await renderAdmin({ kind: 'report', number: 7 }, { report: () => Promise.resolve(DETAILS), closeTable });
    click(byTestId('close-table'));
    fillField('reason-input', 'advertising');
    const submit = async (): Promise<void> => {
      act(() => void byTestId('reason-form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
      await act(flushTasks);
    };
    await submit();
    expect(byTestId('wrong-reason').textContent).toBe('Server error: a fault');
    await submit();
    expect(closeTable).toHaveBeenLastCalledWith(TABLE, { reason: 'advertising' });
    expect(document.querySelector('dialog')).toBeNull();
    expect([byTestId('close-table').textContent, byTestId<HTMLButtonElement>('close-table').disabled]).toEqual(['Table closed', true]);
  });

  it.each([
    [DETAILS, new Refusal('ended', 'it is closed'), true],
    [{ ...DETAILS, report: { ...REPORT, moment: undefined } } as unknown as AdminReportDetails, null, false],
  ])('offer no table that is closed or does not exist', async (details, refusal, hasTable) => {
    await renderAdmin({ kind: 'report', number: 7 }, { report: () => Promise.resolve(details), closeTable: () => Promise.reject(refusal ?? new Error('no')) });
    expect(exists('close-table')).toBe(hasTable);
    if (!hasTable) return;
    click(byTestId('close-table'));
    fillField('reason-input', 'advertising');
    act(() => void byTestId('reason-form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
    await act(flushTasks);
    expect(byTestId('close-table').textContent).toBe('Table closed');
  });

  it('of a report that does not exist are not found', async () => {
    await renderAdmin({ kind: 'report', number: 8 }, { report: () => Promise.reject(new Refusal('not_found', 'no')) });
    expect(findElement('h1').textContent).toBe('Page not found');
  });
});

it('the requests have the paths and bodies of the protocol', async () => {
  const fetch = vi.fn<(path: string, options?: RequestInit) => Promise<Response>>(() => Promise.resolve(new Response('{}')));
  vi.stubGlobal('fetch', fetch);
  await httpApi.acknowledgeWarning(7);
  await httpApi.report({ user: 'u', reason: 'name' });
  await httpAdminApi.reports({ state: 'open' });
  await httpAdminApi.reports({ state: 'closed', before: 7 });
  await httpAdminApi.report(7);
  await httpAdminApi.closeTable('t', { reason: 'r' });
  await httpAdminApi.closeReport(7, { outcome: 'warned' });
  expect(fetch.mock.calls.map(([path, options]) => [options?.method ?? 'GET', path, options?.body])).toEqual([
    ['POST', '/api/me/warnings/7/acknowledge', undefined],
    ['POST', '/api/reports', '{"user":"u","reason":"name"}'],
    ['GET', '/api/admin/reports?state=open', undefined],
    ['GET', '/api/admin/reports?state=closed&before=7', undefined],
    ['GET', '/api/admin/reports/7', undefined],
    ['POST', '/api/admin/tables/t/close', '{"reason":"r"}'],
    ['POST', '/api/admin/reports/7/close', '{"outcome":"warned"}'],
  ]);
});
