import { expect, test } from 'vitest';
import { signIn, userId, userName } from '../src/accounts.ts';
import { BrowsersOf } from '../src/browsers.ts';
import { expectGoodPageAtAllSizes } from '../src/good-page.ts';
import { OPERATOR, OperatedServer } from '../src/operator.ts';
import type { Person } from '../src/person.ts';
import { LANGUAGES_WITH_SIZES, SIZES } from '../src/sizes.ts';

const chromium = new BrowsersOf(() => OperatedServer.start());

const REASON = 'insults in the chat';

/** A user who exists only in the answers about pairs. */
const OTHER = { id: '0192f0c1-2345-7000-8000-000000000002', name: 'Benedikta von Falkenstein', account: true };

/** Returns a pair of players who spare each other. No test plays so many rated matches. */
function pairOf(a: string): object {
  const counts = { captures: 3, expected_captures: 41.26, checks: 0, expected_checks: 14, eliminations: 1, expected_eliminations: 5.95 };
  return { a: { id: a, name: 'Ada', account: true }, b: OTHER, matches: 132, spares: 4.27, a_to_b: counts, b_to_a: counts, last_ms: 1_700_000_000_000 };
}

/** Reports a user from the page. */
async function reportUser(user: string): Promise<void> {
  const report = { user, reason: 'name', text: 'The name insults me.\nIt did so yesterday, too.' };
  const response = await fetch('/api/reports', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(report) });
  if (!response.ok) throw new Error(await response.text());
}

/** Confirms an action of the operator with a reason, and waits for its result. */
async function confirm(operator: Person, action: string, reason: string, result: string): Promise<void> {
  await operator.byTestId(`action-${action}`).click();
  if (action === 'rename') await operator.byTestId('new-name-input').fill('Quiet Player');
  await operator.byTestId('reason-input').fill(reason);
  await operator.byTestId('reason-submit').click();
  await operator.byTestId('admin-result').filter({ hasText: result }).waitFor();
}

test('an operator finds a user, suspends and renames them, signs them out, and deletes them', async () => {
  const rude = await chromium.openBrowser('rude');
  const name = await userName(rude);
  const operator = await chromium.openBrowser('operator');
  await signIn(operator, OPERATOR);
  await operator.byTestId('menu').click();
  await operator.byTestId('menu-admin').click();
  await operator.byTestId('user-search-input').fill(name.toUpperCase());
  await operator.page.keyboard.press('Enter');
  await operator.byTestId('admin-user').getByRole('link', { name, exact: true }).click();
  await operator.byTestId('admin-details').getByRole('heading', { name }).waitFor();

  await confirm(operator, 'suspend', REASON, 'is suspended');
  await rude.byTestId('suspended').filter({ hasText: REASON }).waitFor();
  await operator.goTo('/admin?suspended=true');
  await operator.byTestId('admin-user').filter({ hasText: REASON }).getByRole('link').click();
  await confirm(operator, 'restore', 'an apology', 'no longer suspended');
  await rude.byTestId('suspended').waitFor({ state: 'detached' });
  await confirm(operator, 'rename', 'unsuitable name', 'Quiet Player');
  await rude.page.reload();
  await rude.byTestId('user').filter({ hasText: 'Quiet Player' }).waitFor();

  await operator.byTestId('action-export').click();
  const download = operator.page.waitForEvent('download');
  await operator.byTestId('export-confirm').click();
  const content = (await (await (await download).createReadStream()).toArray()).join('');
  expect(JSON.parse(content)).toMatchObject({ user: { name: 'Quiet Player' } });

  await operator.goTo('/admin/pairs');
  await operator.byTestId('pairs').filter({ hasText: 'No pair is conspicuous.' }).waitFor();
  await operator.page.goBack();
  await confirm(operator, 'revoke', 'stolen', 'signed out everywhere');
  await rude.byTestId('start-again').waitFor();
  await confirm(operator, 'delete', 'asked by mail', 'was deleted');
  await operator.byTestId('admin-details').getByRole('heading', { name: 'Deleted user' }).waitFor();
  chromium.expectNoErrors();
});

test('for everybody else the pages do not exist', async () => {
  const person = await chromium.openBrowser('stranger');
  await userName(person);
  for (const path of ['/admin', '/admin?suspended=true', '/admin/pairs', '/admin/u/0192f0c1-2345-7000-8000-000000000001']) {
    await person.goTo(path);
    await person.page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  }
  await person.byTestId('menu').click();
  expect(await person.byTestId('menu-admin').count()).toBe(0);
  chromium.expectNoErrors();
});

test.each(LANGUAGES_WITH_SIZES)('the pages are complete and accessible: %s, on a %s', async (locale, size) => {
  const viewport = SIZES[size];
  const rude = await chromium.openBrowser('rude', undefined, { viewport, locale });
  const id = await userId(rude);
  await chromium.site.suspend(id, REASON, 168);
  const operator = await chromium.openBrowser('operator', undefined, { viewport, locale, reducedMotion: 'reduce' });
  await signIn(operator, OPERATOR);
  const expectGood = (name: string): Promise<void> => expectGoodPageAtAllSizes(operator, `admin-${name}-${locale}`);
  await operator.goTo('/admin');
  await operator.byTestId('user-search-input').waitFor();
  await expectGood('search');
  await operator.goTo('/admin?suspended=true');
  await operator.byTestId('admin-user').first().waitFor();
  await expectGood('suspended');
  await operator.page.evaluate(reportUser, id);
  await operator.goTo('/admin/reports');
  await operator.byTestId('report-row').first().waitFor();
  await expectGood('reports');
  await operator.byTestId('report-row').first().getByRole('link').click();
  await operator.byTestId('close-report-form').waitFor();
  await expectGood('report');
  await operator.goTo(`/admin/u/${id}`);
  await operator.byTestId('admin-suspension').waitFor();
  await expectGood('user');
  for (const action of ['suspend', 'rename', 'revoke', 'delete']) {
    await operator.byTestId(`action-${action}`).click();
    await operator.byTestId('reason-input').waitFor();
    await expectGood(action);
    await operator.page.keyboard.press('Escape');
  }
  await operator.page.route('**/api/admin/pairs?*', (route) => route.fulfill({ json: { pairs: [pairOf(id)] } }));
  await operator.page.route('**/api/admin/pairs/**', (route) => route.fulfill({ json: { pair: pairOf(id), matches: [] } }));
  await operator.goTo('/admin/pairs');
  await operator.byTestId('pair-row').waitFor();
  await expectGood('pairs');
  await operator.byTestId('pair-row').getByRole('link').click();
  await operator.byTestId('pair-counts').first().waitFor();
  await expectGood('pair');
  chromium.expectNoErrors();
});
