import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { PairCount, PairView } from '../src/protocol/generated.ts';
import { httpAdminApi, type AdminApi } from '../src/store/admin-api.ts';
import { text } from '../src/text/index.ts';
import { AdminPage } from '../src/view/admin/admin-page.tsx';
import { parseAddress, type AdminPlace } from '../src/view/router.ts';
import { NO_ADMIN_API } from './support/admin.ts';
import { matchSummary } from './support/archive.ts';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { byTestId, closePage, exists, findElement, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const A = '0192f0c1-2345-7000-8000-00000000000a';
const B = '0192f0c1-2345-7000-8000-00000000000b';
const COUNTS: PairCount = { captures: 3, expected_captures: 11.26, checks: 0, expected_checks: 4, eliminations: 1, expected_eliminations: 1.95 };
const PAIR: PairView = { a: { ...user('Ada'), id: A }, b: { ...user('Ben'), id: B }, matches: 12, spares: 4.27, a_to_b: COUNTS, b_to_a: { ...COUNTS, captures: 2 }, last_ms: 0 };

afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
});

async function open(place: AdminPlace, api: Partial<AdminApi>): Promise<void> {
  renderPage(onlineClient().client, <AdminPage place={place} api={{ ...NO_ADMIN_API, ...api }} />);
  await act(flushTasks);
}

const bodyText = (): string => document.body.textContent ?? '';

it.each<[string, AdminPlace]>([
  ['/admin/pairs/', { kind: 'pairs' }],
  [`/admin/pairs/${A.toUpperCase()}/${B}`, { kind: 'pair', a: A, b: B }],
])('the address %s', (path, place) => expect(parseAddress(new URL(path, location.origin))).toEqual({ kind: 'admin', place }));

describe('the pairs of players who spare each other', () => {
  it('are listed with their score and their matches', async () => {
    await open({ kind: 'pairs' }, { pairs: () => Promise.resolve({ pairs: [PAIR] }) });
    expect(byTestId('pair-row').textContent).toBe(`Ada and BenScore 4.3 · 12 matches together · last on ${text.day(0)}`);
    expect(findElement('[data-testid="pair-row"] a').getAttribute('href')).toBe(`/admin/pairs/${A}/${B}`);
    expect(findElement('nav [aria-current]').textContent).toBe('Pairs');
  });

  it('may be none', async () => {
    await open({ kind: 'pairs' }, { pairs: () => Promise.resolve({ pairs: [] }) });
    expect(bodyText()).toContain('No pair is conspicuous.');
  });
});

describe('the page of a pair', () => {
  it('compares what the players did to each other with what was to be expected, and lists their matches', async () => {
    await open({ kind: 'pair', a: A, b: B }, { pair: () => Promise.resolve({ pair: PAIR, matches: [matchSummary('m')] }) });
    expect(findElement('h1').textContent).toBe('Ada and Ben');
    const tables = [...document.querySelectorAll('[data-testid="pair-counts"]')];
    expect(tables.map((table) => table.querySelector('caption')?.textContent)).toEqual(['Ada against Ben', 'Ben against Ada']);
    const cells = tables.map((table) => [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map(({ textContent }) => textContent)));
    expect(cells[0]).toEqual([
      ['Captures', '3', '11.3'],
      ['Checks', '0', '4'],
      ['Mates', '1', '2'],
    ]);
    expect(cells[1]?.[0]).toEqual(['Captures', '2', '11.3']);
    expect(exists('match-card')).toBe(true);
  });

  it('that is not known is not found', async () => {
    await open({ kind: 'pair', a: A, b: B }, { pair: () => Promise.reject(new Refusal('not_found', 'no pair')) });
    expect(findElement('h1').textContent).toBe('Page not found');
  });
});

it('the routes of pairs', async () => {
  const paths: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    paths.push(path);
    return Promise.resolve(new Response('{}'));
  });
  await httpAdminApi.pairs();
  await httpAdminApi.pair(A, B);
  expect(paths).toEqual(['/api/admin/pairs?limit=100', `/api/admin/pairs/${A}/${B}`]);
});
