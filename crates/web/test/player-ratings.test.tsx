import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { RatingPoint, RatingView } from '../src/protocol/generated.ts';
import { bestPoint } from '../src/store/ratings.ts';
import { ratingScale, shareFromTop } from '../src/view/user/rating-scale.ts';
import { UserPage } from '../src/view/user/user-page.tsx';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { byTestId, click, closePage, exists, findElement, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const DAY_MS = 86_400_000;
const CEM = { ...user('Cem'), account: true };
const BLITZ: RatingView = { variant: 'classic', speed: 'blitz', rating: 1540, deviation: 150, provisional: true, matches: 3 };
const RAPID: RatingView = { variant: 'dilkel', speed: 'rapid', rating: 1612, deviation: 70, matches: 24 };

/** Returns a history of these ratings and deviations, one a day. */
function history(...ratings: readonly (readonly [number, number])[]): RatingPoint[] {
  return ratings.map(([rating, deviation], day) => ({ at_ms: 1_700_000_000_000 + day * DAY_MS, rating, deviation }));
}

const POINTS = history([1700, 250], [1580, 105], [1640, 90], [1612, 70]);

/** Opens the page of Cem and returns the requested histories. */
async function open(ratings: RatingView[] | undefined, points: readonly RatingPoint[] = POINTS): Promise<string[]> {
  const asked: string[] = [];
  const { client } = onlineClient({
    userPage: () => Promise.resolve({ user: CEM, created_at_ms: 0, standings: [], ...(ratings === undefined ? {} : { ratings }) }),
    matches: () => Promise.resolve({ matches: [] }),
    ratingHistory: (...kind) => {
      asked.push(kind.join(' '));
      return Promise.resolve({ points: [...points] });
    },
  });
  renderPage(client, <UserPage user={CEM.id} />);
  await act(flushTasks);
  return asked;
}

afterEach(closePage);

describe('the ratings of a player', () => {
  it('are listed by variant and speed, the most played first', async () => {
    await open([BLITZ, RAPID]);
    const rows = [...byTestId('ratings').querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows.slice(0, 2)).toEqual([
      ['Dilkel Rapid', '1612', '24'],
      ['Classic Blitz', '1540?', '3'],
    ]);
    expect(findElement('.provisional').title).toContain('Provisional');
  });

  it('are absent without rated matches', async () => {
    expect(await open(undefined)).toEqual([]);
    expect(exists('ratings')).toBe(false);
  });

  it('show the history of the chosen one', async () => {
    const asked = await open([BLITZ, RAPID]);
    expect(asked).toEqual(['id-of-cem dilkel rapid']);
    const pressed = (): string[] => [...document.querySelectorAll('[aria-pressed="true"]')].map((button) => button.textContent ?? '');
    expect(pressed()).toEqual(['Dilkel Rapid']);
    click(findElement('[data-testid="rating-classic-blitz"] button'));
    await act(flushTasks);
    expect(asked.at(-1)).toBe('id-of-cem classic blitz');
    expect(pressed()).toEqual(['Classic Blitz']);
    expect(findElement('.rating-history h3').textContent).toBe('Classic · Blitz');
  });

  it('show the best rating that was not provisional', async () => {
    await open([RAPID]);
    expect([...document.querySelectorAll('.rating-facts dd')].map((fact) => fact.textContent)).toEqual(['1612', '1640', '24']);
    expect(bestPoint(history([1800, 300], [1700, 111]))).toBeNull();
    expect(bestPoint(history([1800, 300], [1550, 110], [1540, 60]))?.rating).toBe(1550);
  });
});

describe('the chart of a rating', () => {
  it('has a title and a description', async () => {
    await open([RAPID]);
    const chart = findElement('.chart-area svg');
    const [title, description] = (chart.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent);
    expect(title).toBe('Rating history: Dilkel · Rapid');
    expect(description).toBe('From 1700 to 1612 in 4 rated matches. Lowest 1580, highest 1700.');
  });

  it('shows each match under the pointer', async () => {
    await open([RAPID]);
    const area = findElement('.chart-area');
    area.getBoundingClientRect = () => new DOMRect(100, 0, 300, 100);
    expect(byTestId('chart-shown').textContent).toContain('1612');
    act(() => void area.dispatchEvent(new PointerEvent('pointermove', { clientX: 210, bubbles: true })));
    expect(byTestId('chart-shown').textContent).toContain('1580');
    expect(findElement('.chart-point').style.insetInlineStart).toMatch(/^33\.3/);
    act(() => void area.dispatchEvent(new PointerEvent('pointerleave')));
    expect(byTestId('chart-shown').textContent).toContain('1612');
  });

  it('shows a single match as a point', async () => {
    await open([RAPID], history([1612, 300]));
    expect(findElement('.chart-point').style.insetInlineStart).toBe('50%');
    expect(findElement('desc').textContent).toBe('1612 after 1 rated match.');
  });

  it('has a table with the same ratings, newest first', async () => {
    await open([RAPID]);
    expect(exists('history-row')).toBe(false);
    const details = byTestId<HTMLDetailsElement>('history');
    act(() => {
      details.open = true;
      details.dispatchEvent(new Event('toggle'));
    });
    const rows = [...document.querySelectorAll('[data-testid="history-row"]')].map((row) => [...row.children].slice(1).map((cell) => cell.textContent));
    expect(rows).toEqual([
      ['1612', '−28'],
      ['1640', '+60'],
      ['1580', '−120'],
      ['1700', ''],
    ]);
  });
});

describe('the scale of a chart', () => {
  it.each([
    [[1512], [1525, 1500]],
    [[1500], [1525, 1500]],
    [[1490, 1510], [1525, 1500, 1475]],
    [[1500, 1600], [1600, 1575, 1550, 1525, 1500]],
    [[1432, 1612], [1700, 1600, 1500, 1400]],
    [[1100, 2400], [2500, 2000, 1500, 1000]],
  ])('contains the ratings %j with few lines', (ratings, lines) => {
    const scale = ratingScale(ratings);
    const [top = 0, bottom = 0] = [scale[0], scale.at(-1)];
    expect(top).toBeGreaterThanOrEqual(Math.max(...ratings));
    expect(bottom).toBeLessThanOrEqual(Math.min(...ratings));
    expect(scale.length).toBeLessThanOrEqual(5);
    expect(scale).toEqual(lines);
  });

  it('has the best rating at its top', () => {
    expect(shareFromTop([1600, 1550, 1500], 1600)).toBe(0);
    expect(shareFromTop([1600, 1550, 1500], 1525)).toBe(0.75);
  });
});
