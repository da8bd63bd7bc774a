import type { JSX } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { UserPage as UserPageView } from '../src/protocol/generated.ts';
import type { Api, MatchFilter } from '../src/store/api.ts';
import { ArchivePage } from '../src/view/archive/archive-page.tsx';
import { UserPage } from '../src/view/user/user-page.tsx';
import { matchSummary } from './support/archive.ts';
import { user } from './support/boards.ts';
import { closePage, byTestId, exists, findElement, renderPage, submitField } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const CEM: UserPageView = {
  user: user('Cem'),
  created_at_ms: 1_700_000_000_000,
  standings: [{ variant: 'dilkel', played: 7, won: 3, drawn: 1, places: [4, 2, 0, 1] }],
};

async function open(page: JSX.Element, api: Partial<Api>): Promise<void> {
  const { client } = onlineClient(api);
  renderPage(client, page);
  await act(() => Promise.resolve());
}

async function press(name: string): Promise<void> {
  await act(async () => {
    byTestId(name).click();
    await Promise.resolve();
  });
}

const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-testid="match-card"]')];
const links = (): (string | null)[] => [...document.querySelectorAll('.match-link')].map((link) => link.getAttribute('href'));

afterEach(closePage);

describe('the archive', () => {
  it('shows players and results, with links to the replay or the running table', async () => {
    const { ended_at_ms: _, outcome: __, ...running } = matchSummary('b', { table: 't-b', move_limit_ms: 300_000 });
    await open(<ArchivePage variant={null} user={null} player={null} />, {
      matches: () => Promise.resolve({ matches: [matchSummary('a'), running] }),
    });
    expect(links()).toEqual(['/m/a', '/t/t-b']);
    expect(cards()[0]?.textContent).toContain('White wins by checkmate');
    const players = [...(cards()[0]?.querySelectorAll('.match-players li') ?? [])].map((row) => row.textContent);
    expect(players).toEqual(['Ada1st', 'Ben2nd']);
    expect(cards()[1]?.textContent).toContain('Live');
    expect(cards()[0]?.textContent).toContain('No clocks');
    expect(cards()[1]?.textContent).toContain('5 min a move');
  });

  it('says which matches were rated', async () => {
    await open(<ArchivePage variant={null} user={null} player={null} />, {
      matches: () => Promise.resolve({ matches: [matchSummary('a', { rated: true }), matchSummary('b')] }),
    });
    expect(cards().map((card) => card.querySelector('.with-emblem')?.textContent)).toEqual(['Classic · No clocks · Rated · 7 moves', 'Classic · No clocks · 7 moves']);
  });

  it('searches for a player by the address, and removes the filter', async () => {
    const asked: MatchFilter[] = [];
    const matches = (filter: MatchFilter): ReturnType<Api['matches']> => (asked.push(filter), Promise.resolve({ matches: [] }));
    await open(<ArchivePage variant="dilkel" user={null} player={null} />, { matches });
    submitField('player', ' Jo & Co ');
    expect(location.pathname + location.search).toBe('/archive?variant=dilkel&player=Jo+%26+Co');
    await open(<ArchivePage variant="dilkel" user={null} player="Jo & Co" />, { matches });
    expect(asked.at(-1)).toMatchObject({ variant: 'dilkel', player: 'Jo & Co' });
    expect(byTestId<HTMLInputElement>('player').value).toBe('Jo & Co');
    expect(findElement('.match-list').textContent).toContain('No matching games.');
    await press('search-end');
    expect(location.search).toBe('?variant=dilkel');
    submitField('player', '   ');
    expect(location.search).toBe('?variant=dilkel');
  });

  it('lists the best player first and shows a draw between some players', async () => {
    const drawn = matchSummary('a', { outcome: { reason: 'agreement', places: { white: 2, black: 1 } } });
    await open(<ArchivePage variant={null} user={null} player={null} />, { matches: () => Promise.resolve({ matches: [drawn] }) });
    expect(cards()[0]?.textContent).toContain('Black wins by agreement');
    expect([...document.querySelectorAll('.match-player')].map((name) => name.textContent)).toEqual(['Ben', 'Ada']);
  });

  it('requests the filters of the address and names them', async () => {
    const asked: MatchFilter[] = [];
    await open(<ArchivePage variant="dilkel" user={CEM.user.id} player={null} />, {
      matches: (filter) => {
        asked.push(filter);
        return Promise.resolve({ matches: [] });
      },
      userPage: () => Promise.resolve(CEM),
    });
    expect(asked).toMatchObject([{ variant: 'dilkel', user: CEM.user.id }]);
    const chosen = [...document.querySelectorAll('.chip[aria-current]')].map((chip) => chip.textContent);
    expect(chosen).toEqual(['Dilkel', 'Cem']);
    expect(document.body.textContent).toContain('No matching games');
  });

  it('loads more pages, and after a failure keeps the list with a retry button', async () => {
    const answers = [
      () => Promise.resolve({ matches: [matchSummary('a')], next: 'x' }),
      () => Promise.reject(new TypeError('no network')),
      () => Promise.resolve({ matches: [matchSummary('b')] }),
    ];
    await open(<ArchivePage variant={null} user={null} player={null} />, { matches: () => (answers.shift() ?? Promise.reject)() as never });
    await press('matches-more');
    expect(cards()).toHaveLength(1);
    expect(exists('matches-more')).toBe(false);
    await press('matches-again');
    expect(links()).toEqual(['/m/a', '/m/b']);
    expect(exists('matches-more')).toBe(false);
  });
});

describe('the page of a player', () => {
  it('shows the results with the places', async () => {
    await open(<UserPage user={CEM.user.id} />, {
      userPage: () => Promise.resolve(CEM),
      matches: () => Promise.resolve({ matches: [matchSummary('a')] }),
    });
    expect(byTestId('player').textContent).toContain('Cem');
    const results = byTestId('standing-dilkel');
    expect(results.textContent).toContain('7 matches 3 won, 1 shared 1st');
    expect(results.querySelector('[role="img"]')?.getAttribute('aria-label')).toBe('Places in Dilkel: 1st 4, 2nd 2, 3rd 0 and 4th 1');
    expect([...results.querySelectorAll<HTMLElement>('.place-share')].map((part) => part.style.flexGrow)).toEqual(['4', '2', '1']);
    expect(links()).toEqual(['/m/a']);
  });

  it('reports a missing player', async () => {
    await open(<UserPage user="nobody" />, {
      userPage: () => Promise.reject(new Refusal('not_found', 'there is nothing here')),
      matches: () => Promise.resolve({ matches: [] }),
    });
    expect(byTestId('missing').textContent).toContain('Player not found');
  });
});
