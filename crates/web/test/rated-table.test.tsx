import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { CreateTable, UserView } from '../src/protocol/generated.ts';
import { browserPersistence } from '../src/store/persistence.ts';
import { allSettings, unusualSettings } from '../src/text/settings.ts';
import { lastChoices, storeChoices } from '../src/view/lobby/last-choices.ts';
import { NewTableDialog } from '../src/view/lobby/new-table-dialog.tsx';
import { ratedObstacle, withPossibleRating, withRating } from '../src/view/lobby/rated-tables.ts';
import { createTableRequest, DEFAULT_CHOICES, withPrivacy, type TableChoices } from '../src/view/lobby/table-choices.ts';
import { TableRow } from '../src/view/lobby/table-row.tsx';
import { seats, user } from './support/boards.ts';
import { ownTable } from './support/lobby.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { ScriptedMatch, SETTINGS, TABLE } from './support/match.ts';
import { byTestId, click, closePage, exists, fillField, findElement, renderPage, renderTable } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const GUEST = user('Ada');
const ACCOUNT: UserView = { ...GUEST, account: true };
const WITH_CLOCKS: TableChoices = { ...DEFAULT_CHOICES, clock: 'fischer', rated: true };

/** Opens the dialog for a user and returns its requests to the server. */
function openDialog(viewer: UserView, refusal?: Refusal): CreateTable[] {
  const asked: CreateTable[] = [];
  const { client } = onlineClient({
    createTable: (body) => {
      asked.push(body);
      return refusal === undefined ? new Promise(() => undefined) : Promise.reject(refusal);
    },
  });
  client.user.value = viewer;
  renderPage(client, <NewTableDialog onClose={() => undefined} />);
  return asked;
}

async function submit(): Promise<void> {
  await act(async () => {
    document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    await Promise.resolve();
  });
}

/** Chooses an option of a drop-down list. */
function choose(list: string, value: string): void {
  const element = byTestId<HTMLSelectElement>(list);
  element.value = value;
  act(() => void element.dispatchEvent(new Event('change', { bubbles: true })));
}

const ratedOption = (): HTMLInputElement => byTestId<HTMLInputElement>('choose-rated-rated');

afterEach(() => {
  closePage();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});

it('has preset phrases for the chat of a rated table, unless others are chosen', () => {
  const rated = withRating({ ...WITH_CLOCKS, rated: false }, true);
  expect(rated).toEqual({ ...WITH_CLOCKS, rated: true, chat: 'phrases' });
  expect(withRating({ ...rated, chat: 'off' }, true).chat).toBe('off');
  expect(withRating(rated, false)).toMatchObject({ rated: false, chat: 'on' });
});

it('remembers the range of ratings, and names it in the lobby', () => {
  const ranged = { ...WITH_CLOCKS, min_rating: 1400, max_rating: 1700 };
  storeChoices(browserPersistence(), ranged);
  expect(lastChoices(browserPersistence())).toMatchObject({ min_rating: 1400, max_rating: 1700 });
  storeChoices(browserPersistence(), { ...ranged, max_rating: 17 });
  expect(lastChoices(browserPersistence())).toMatchObject({ min_rating: 1400, max_rating: null });
  const settings = { ...SETTINGS, rated: true };
  expect(unusualSettings({ ...settings, rating_range: { min: 1400, max: 1700 } })).toEqual(['Rated', '1400–1700']);
  expect(unusualSettings({ ...settings, rating_range: { min: 1400 } })).toEqual(['Rated', 'from 1400']);
  expect(unusualSettings({ ...settings, rating_range: { max: 1700 } })).toEqual(['Rated', 'up to 1700']);
  expect(allSettings({ ...settings, rating_range: { max: 1700 } })).toContainEqual(['Rating range', 'up to 1700']);
});

describe('a table can be rated', () => {
  it('with clocks, for a user with an account', () => {
    expect(ratedObstacle(WITH_CLOCKS, ACCOUNT)).toBeNull();
    expect(ratedObstacle({ ...WITH_CLOCKS, clock: 'correspondence' }, ACCOUNT)).toBeNull();
    expect(createTableRequest(withPossibleRating(WITH_CLOCKS, ACCOUNT))).toMatchObject({ rated: true, absence: 'eliminate' });
  });

  it.each([
    ['account', GUEST, {}],
    ['account', null, {}],
    ['clocks', ACCOUNT, { clock: 'none' }],
    ['bots', ACCOUNT, { bots: { kind: 'built_in', level: 3 } }],
    ['setup', ACCOUNT, { setup: ' fen ' }],
    ['hotseat', ACCOUNT, { privacy: 'private', hotseat: true }],
  ] as const)('but not without this: %s', (obstacle, viewer, change) => {
    const choices: TableChoices = { ...WITH_CLOCKS, ...change };
    expect(ratedObstacle(choices, viewer)).toBe(obstacle);
    expect(createTableRequest(withPossibleRating(choices, viewer)).rated).toBe(false);
  });

  it('also among friends, whose absence then eliminates them', () => {
    const friends = withPrivacy(WITH_CLOCKS, 'private');
    expect(createTableRequest(withPossibleRating(friends, ACCOUNT))).toMatchObject({ privacy: 'private', rated: true, absence: 'eliminate' });
    expect(createTableRequest(withPossibleRating({ ...friends, rated: false }, ACCOUNT))).toMatchObject({ rated: false, absence: 'wait' });
  });

  it('and the wish is kept for the next table', () => {
    storeChoices(browserPersistence(), WITH_CLOCKS);
    expect(lastChoices(browserPersistence()).rated).toBe(true);
  });
});

describe('the dialog for a new table', () => {
  it('offers guests an account instead of a rated table', async () => {
    const asked = openDialog(GUEST);
    click(byTestId('choose-clock-5-5'));
    expect(ratedOption().disabled).toBe(true);
    expect(byTestId('rated-hint').textContent).toBe('Rated matches are for players with an account. Create an account');
    expect(byTestId('rated-sign-up').getAttribute('href')).toBe('/sign-up');
    expect(findElement(`[aria-describedby="${byTestId('rated-hint').id}"] legend`).textContent).toBe('Ratings');
    await submit();
    expect(asked[0]?.rated).toBe(false);
  });

  it('says why a table cannot be rated, and remembers the wish', async () => {
    const asked = openDialog(ACCOUNT);
    expect(byTestId('rated-hint').textContent).toBe('Rated matches need clocks.');
    click(byTestId('choose-clock-5-5'));
    expect(byTestId('rated-hint').textContent).toBe('');
    click(ratedOption());
    expect([...byTestId<HTMLSelectElement>('set-absence').options].map(({ value }) => value)).toEqual(['eliminate']);
    await submit();
    expect(asked[0]).toMatchObject({ rated: true, absence: 'eliminate' });
    fillField('setup', 'fen');
    expect(byTestId('rated-hint').textContent).toBe('Rated matches begin from the standard position.');
    expect(ratedOption().checked).toBe(false);
    fillField('setup', '');
    expect(ratedOption().checked).toBe(true);
    click(byTestId('choose-clock-none'));
    expect([ratedOption().disabled, ratedOption().checked]).toEqual([true, false]);
    await submit();
    expect(asked[1]?.rated).toBe(false);
  });

  it('offers a range of ratings for rated tables at which everybody may sit', async () => {
    const asked = openDialog(ACCOUNT);
    click(byTestId('choose-clock-5-5'));
    expect(exists('set-min-rating')).toBe(false);
    click(ratedOption());
    choose('set-min-rating', '1400');
    choose('set-max-rating', '1700');
    await submit();
    expect(asked[0]).toMatchObject({ rated: true, rating_range: { min: 1400, max: 1700 } });
    choose('set-min-rating', '1900');
    expect(byTestId<HTMLSelectElement>('set-max-rating').value).toBe('1900');
    choose('set-max-rating', '1200');
    expect(byTestId<HTMLSelectElement>('set-min-rating').value).toBe('1200');
    choose('set-max-rating', 'any');
    await submit();
    expect(asked[1]?.rating_range).toEqual({ min: 1200 });
    click(byTestId('choose-privacy-private'));
    expect(exists('set-min-rating')).toBe(false);
    await submit();
    expect(asked[2]?.rated).toBe(true);
    expect(asked[2]).not.toHaveProperty('rating_range');
  });

  it('shows a refusal of the range of ratings below it', async () => {
    openDialog(ACCOUNT, new Refusal('bad_setting', 'rating_range.min is 4100, it must be 0 to 4000'));
    click(byTestId('choose-clock-5-5'));
    click(ratedOption());
    await submit();
    expect(byTestId('wrong-rating_range').textContent).toContain('it must be 0 to 4000');
  });

  it('shows a refusal of a rated table at the choice', async () => {
    openDialog(ACCOUNT, new Refusal('bad_setting', 'rated is true, but a table with a new rule is casual'));
    await submit();
    expect(byTestId('wrong-rated').textContent).toBe('Rated is true, but a table with a new rule is casual.');
  });
});

/** Opens a rated table of Ben for a user, by its public link. */
function openRatedTable(viewer: UserView): FakeSocket {
  history.replaceState(null, '', `/t/${TABLE}#sit`);
  const match = new ScriptedMatch('classic', { white: 'Ben', black: null });
  match.view = { settings: { ...SETTINGS, rated: true }, host: user('Ben') };
  const { client, socket } = renderTable();
  act(() => {
    client.user.value = viewer;
    socket.receive(match.snapshot(null));
  });
  return socket;
}

describe('a rated table that waits for players', () => {
  it('offers an account to guests, and no seat', () => {
    const socket = openRatedTable(GUEST);
    expect([...byTestId('account-needed').querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(['/sign-up', '/sign-in']);
    expect(['sit-any', 'sit-black', 'no-seat'].filter(exists)).toEqual([]);
    expect(socket.ofKind('sit')).toEqual([]);
  });

  it('seats a user with an account', () => {
    const socket = openRatedTable(ACCOUNT);
    expect(exists('account-needed')).toBe(false);
    expect(socket.ofKind('sit')).toHaveLength(1);
  });

  it('is marked in the lobby, where only accounts may take a seat', () => {
    const summary = { ...ownTable('t', { settings: { ...SETTINGS, rated: true }, host: user('Ben') }), seats: seats({ white: 'Ben', black: null }) };
    const { client } = onlineClient();
    renderPage(client, <TableRow summary={summary} />);
    expect(findElement('.row-details').textContent).toContain('No clocks · Rated · by Ben');
    expect(exists('sit-black')).toBe(false);
    act(() => void (client.user.value = ACCOUNT));
    expect(exists('sit-black')).toBe(true);
    closePage();
    renderPage(onlineClient().client, <TableRow summary={{ ...summary, settings: SETTINGS }} />);
    expect(findElement('.row-details').textContent).not.toContain('Rated');
    expect(exists('sit-black')).toBe(true);
  });
});
