import { act } from 'preact/test-utils';
import { afterEach, expect, it } from 'vitest';
import type { UserView } from '../src/protocol/generated.ts';
import { nameOf } from '../src/text/name-of.ts';
import { chooseLanguage } from '../src/text/languages.ts';
import { hasDialog } from '../src/view/people/open-player.ts';
import { UserPage } from '../src/view/user/user-page.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { MATCH, ScriptedMatch, TABLE } from './support/match.ts';
import { byTestId, closePage, exists, findElement, renderMatch, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const DELETED: UserView = { id: 'id-of-ben', name: 'Deleted user' };

afterEach(async () => {
  closePage();
  await chooseLanguage('en');
  history.replaceState(null, '', '/');
});

it.each([
  ['en', 'Deleted user'],
  ['de', 'Gelöschter Nutzer'],
  ['es', 'Usuario eliminado'],
] as const)('the name of deleted users is in the language: %s', async (language, name) => {
  await chooseLanguage(language);
  expect([nameOf(DELETED), nameOf(user('Ben'))]).toEqual([name, 'Ben']);
  const { client } = onlineClient({ userPage: () => Promise.resolve({ user: DELETED, created_at_ms: 0, standings: [] }), matches: () => Promise.resolve({ matches: [] }) });
  renderPage(client, <UserPage user={DELETED.id} />);
  await act(flushTasks);
  expect(findElement('h1').textContent).toBe(name);
  expect(exists('report-user')).toBe(false);
  closePage();

  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
  const { view } = match.snapshot('white');
  const seats = view.seats.map((seat) => (seat.color === 'black' ? { ...seat, user: DELETED } : seat));
  await renderMatch('', { match: () => Promise.resolve({ table: TABLE, match: MATCH, seq: match.seq, view: { ...view, seats } }) });
  expect(byTestId('seat-black').querySelector('.plate-name')?.textContent).toBe(name);
});

it('there is no dialog about deleted users', () => {
  expect([hasDialog(DELETED, user('Ada')), hasDialog(user('Ben'), user('Ada'))]).toEqual([false, true]);
});
