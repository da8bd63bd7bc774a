import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RankedPlayer, RatingView, Speed, UserView, Variant } from '../src/protocol/generated.ts';
import type { Api } from '../src/store/api.ts';
import { LeaderboardPage } from '../src/view/ratings/leaderboard-page.tsx';
import { parseAddress } from '../src/view/router.ts';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { byTestId, click, closePage, exists, findElement, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const ADA: UserView = { ...user('Ada'), account: true };
const PLAYERS: readonly RankedPlayer[] = [
  { user: { ...user('Ben'), account: true }, rating: 1712, matches: 1_204 },
  { user: { ...user('Cleo'), account: true }, rating: 1650, matches: 10 },
];

interface Options {
  readonly viewer?: UserView;
  readonly ratings?: readonly RatingView[];
  readonly variant?: Variant | null;
  readonly speed?: Speed | null;
  readonly ratingHistory?: Api['ratingHistory'];
}

/** Opens a leaderboard and returns the requested kinds. */
async function open(players: readonly RankedPlayer[] | Error, options: Options = {}): Promise<string[]> {
  const { viewer = ADA, ratings = [], variant = 'classic', speed = 'blitz', ratingHistory } = options;
  const asked: string[] = [];
  const api: Partial<Api> = {
    leaderboard: (...kind) => {
      asked.push(kind.join(' '));
      return players instanceof Error && asked.length === 1 ? Promise.reject(players) : Promise.resolve({ players: players instanceof Error ? [] : [...players] });
    },
    userPage: () => Promise.resolve({ user: viewer, created_at_ms: 0, standings: [], ratings: [...ratings] }),
    ...(ratingHistory === undefined ? {} : { ratingHistory }),
  };
  const { client } = onlineClient(api);
  client.user.value = viewer;
  renderPage(client, <LeaderboardPage variant={variant} speed={speed} />);
  await act(flushTasks);
  return asked;
}

function rating(more: Partial<RatingView> = {}): RatingView {
  return { variant: 'classic', speed: 'blitz', rating: 1512, deviation: 80, matches: 12, ...more };
}

const rows = (): string[][] =>
  [...document.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent ?? ''));

afterEach(closePage);

describe('a leaderboard', () => {
  it('has an address for each variant and speed', () => {
    const address = (search: string): unknown => parseAddress({ pathname: '/ratings', search });
    expect(address('?variant=classic&speed=bullet')).toEqual({ kind: 'ratings', variant: 'classic', speed: 'bullet' });
    expect(address('?variant=x&speed=fast')).toEqual({ kind: 'ratings', variant: null, speed: null });
    expect(parseAddress({ pathname: '/ratings/', search: '' })).toEqual({ kind: 'ratings', variant: null, speed: null });
  });

  it('lists the players with rank, link, rating and matches', async () => {
    expect(await open(PLAYERS)).toEqual(['classic blitz']);
    expect(rows()).toEqual([
      ['1', 'Ben', '1712', '1,204'],
      ['2', 'Cleo', '1650', '10'],
    ]);
    const links = [...document.querySelectorAll('.ranked-name')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(['/u/id-of-ben', '/u/id-of-cleo']);
    expect(findElement('#leaderboard-title').textContent).toBe('Classic · Blitz');
  });

  it('has links to the other variants and speeds, and opens the most common kind by default', async () => {
    expect(await open([], { variant: null, speed: null })).toEqual(['dilkel rapid']);
    const chips = [...document.querySelectorAll('.chip')].map((chip) => [chip.getAttribute('href'), chip.getAttribute('aria-current')]);
    expect(chips).toContainEqual(['/ratings?variant=dilkel&speed=rapid', 'true']);
    expect(chips).toContainEqual(['/ratings?variant=classic&speed=rapid', null]);
    expect(chips).toContainEqual(['/ratings?variant=dilkel&speed=correspondence', null]);
    expect(chips.filter(([, current]) => current === 'true')).toHaveLength(2);
  });

  it('marks the row of the viewer', async () => {
    await open([...PLAYERS, { user: ADA, rating: 1512, matches: 12 }], { ratings: [rating()] });
    expect(byTestId('own-row').textContent).toBe('3AdaYou151212');
    expect(rows()).toHaveLength(3);
    expect(exists('own-hint')).toBe(false);
  });

  it.each([
    [{ matches: 9 }, '1512', 'You are 1 rated match away from being listed.'],
    [{ matches: 4, provisional: true }, '1512?', 'You are 6 rated matches away from being listed.'],
    [{ matches: 11, provisional: true }, '1512?', 'Your rating is still provisional'],
    [{ matches: 11 }, '1512', 'Only the 100 best players are listed.'],
  ])('shows the viewer below the others if not listed, and says why: %o', async (more, shown, hint) => {
    await open(PLAYERS, { ratings: [rating({ speed: 'rapid', rating: 1900 }), rating(more)] });
    expect(rows().at(-1)).toEqual(['–', 'AdaYou', shown, String(more.matches)]);
    expect(byTestId('own-hint').textContent).toContain(hint);
  });

  it('shows the rank of the viewer behind the listed players', async () => {
    const ratingHistory = vi.fn(() => Promise.resolve({ points: [], rank: 1_204 }));
    await open(PLAYERS, { ratings: [rating()], ratingHistory });
    expect(rows().at(-1)).toEqual(['1,204', 'AdaYou', '1512', '12']);
    expect(ratingHistory).toHaveBeenCalledExactlyOnceWith(ADA.id, 'classic', 'blitz');
    expect(exists('own-hint')).toBe(false);
  });

  it('asks for no rank of a listed viewer, or of one without a rating', async () => {
    const ratingHistory = vi.fn(() => Promise.resolve({ points: [] }));
    await open([...PLAYERS, { user: ADA, rating: 1512, matches: 12 }], { ratings: [rating()], ratingHistory });
    closePage();
    await open(PLAYERS, { ratingHistory });
    expect(ratingHistory).not.toHaveBeenCalled();
  });

  it('says so if nobody is listed', async () => {
    await open([]);
    expect(byTestId('leaderboard-empty').textContent).toBe('No one has made it onto this leaderboard yet.');
    expect(exists('own-row')).toBe(false);
    expect(byTestId('leaderboard').textContent).toContain('at least 10 rated matches');
    expect(byTestId('own-hint').textContent).toContain('choose “Rated” for a new table');
  });

  it('offers an account to a guest', async () => {
    await open(PLAYERS, { viewer: user('Ada') });
    expect(byTestId('own-hint').textContent).toContain('Only players with an account have ratings.');
    expect(byTestId('ratings-sign-up').getAttribute('href')).toBe('/sign-up');
  });

  it('can be requested again after a failure', async () => {
    await open(new TypeError('no network'));
    expect(findElement('[role="alert"]').textContent).toContain('The server cannot be reached.');
    click(findElement('[role="alert"] button'));
    await act(flushTasks);
    expect(exists('leaderboard-empty')).toBe(true);
  });
});
