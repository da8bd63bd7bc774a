import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { MatchView, Review, ReviewStatus } from '../src/protocol/generated.ts';
import type { Api } from '../src/store/api.ts';
import { bandBoundaries, POLL_MS } from '../src/store/match-review.ts';
import { flushTasks } from './support/explorer.ts';
import { MATCH, ScriptedMatch, TABLE } from './support/match.ts';
import { closePage, byTestId, exists, findElement, renderMatch } from './support/page.tsx';

const REVIEW: Review = {
  nodes: 9,
  chances: [
    { white: 500, black: 500 },
    { white: 350, black: 650 },
    { white: 400, black: 600 },
    { white: 1_000, black: 0 },
  ],
  swings: [
    {
      ply: 1,
      color: 'white',
      kind: 'blunder',
      loss: 150,
      best: [
        { color: 'white', move: 'd2d4', notation: 'd4' },
        { color: 'black', move: 'd7d5', notation: 'd5' },
      ],
    },
    { ply: 2, color: 'black', kind: 'mistake', loss: 110, best: [{ color: 'black', move: 'c7c5', notation: 'c5' }] },
  ],
};

function view(): MatchView {
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
  for (const mv of ['e2e4', 'e7e5', 'g1f3']) match.move(mv);
  const outcome = { reason: 'resign' as const, places: { white: 1, black: 2 } };
  match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } });
  return { table: TABLE, match: MATCH, seq: match.seq, view: match.snapshot('white').view };
}

async function open(search: string, api: Partial<Api>): Promise<void> {
  await renderMatch(search, { match: () => Promise.resolve(view()), ...api });
  await act(flushTasks);
}

const answering = (status: ReviewStatus): Partial<Api> => ({ review: () => Promise.resolve(status) });
const shownPly = (): string | undefined => byTestId('replay').dataset['ply'];
const jumps = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-testid="review-jump"]')];

/** Requests the review. Time then passes only in `wait`. */
async function request(): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  byTestId('request-review').click();
  await wait(0);
}

/** Advances the time by a number of polls. */
async function wait(polls: number): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(polls * POLL_MS);
  });
}

/** Presses the graph at a fraction of its width. */
async function pressGraph(share: number): Promise<void> {
  const graph = byTestId('review-graph');
  graph.getBoundingClientRect = () => ({ left: 100, width: 300, top: 0, height: 112, right: 400, bottom: 112, x: 100, y: 0 }) as DOMRect;
  await act(async () => {
    graph.dispatchEvent(new PointerEvent('pointerdown', { clientX: 100 + share * 300, button: 0, bubbles: true }));
    graph.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
    await flushTasks();
  });
}

afterEach(() => {
  closePage();
  vi.useRealTimers();
  history.replaceState(null, '', '/');
});

describe('the review of a match', () => {
  it('is requested by a press, shows its progress, and appears when it is done', async () => {
    const answers: ReviewStatus[] = [{ state: 'running', done: 1, of: 3 }, { state: 'done', review: REVIEW }];
    let isRequested = false;
    await open('', {
      review: () => Promise.resolve(isRequested ? (answers.shift() ?? { state: 'none' }) : { state: 'none' }),
      requestReview: () => {
        isRequested = true;
        return Promise.resolve({ state: 'waiting', ahead: 2 });
      },
    });
    await request();
    expect(byTestId('review').textContent).toContain('Waiting: 2 reviews come first');
    await wait(1);
    expect(byTestId('review').textContent).toContain('Reviewing: 1 of 3 moves');
    expect(findElement<HTMLProgressElement>('.review progress').value).toBe(1);
    await wait(1);
    expect(byTestId('review').dataset['state']).toBe('done');
    expect(jumps()).toHaveLength(2);
    await wait(9);
    expect(answers).toHaveLength(0);
    expect(byTestId('review').dataset['state']).toBe('done');
  });

  it('shows the reason of a refusal, and continues after a lost connection', async () => {
    await open('', {
      review: vi
        .fn<Api['review']>()
        .mockResolvedValueOnce({ state: 'none' })
        .mockRejectedValueOnce(new TypeError('no network'))
        .mockResolvedValueOnce({ state: 'done', review: REVIEW }),
      requestReview: vi
        .fn<Api['requestReview']>()
        .mockRejectedValueOnce(new Refusal('busy', 'too many matches wait for a review; ask again later'))
        .mockResolvedValueOnce({ state: 'waiting', ahead: 0 }),
    });
    await request();
    expect(findElement('.review [role="alert"]').textContent).not.toBe('');
    await request();
    expect(document.querySelector('.review [role="alert"]')).toBeNull();
    expect(byTestId('review').textContent).toContain('Waiting for the engine');
    await wait(1);
    expect(byTestId('review').dataset['state']).toBe('waiting');
    await wait(1);
    expect(byTestId('review').dataset['state']).toBe('done');
  });

  it('is missing if reviews are disabled or the server does not support them', async () => {
    await open('', answering({ state: 'unavailable' }));
    expect(exists('review')).toBe(false);
    await open('', { review: () => Promise.reject(new Refusal('not_found', 'there is nothing here')) });
    expect(exists('review')).toBe(false);
    expect(shownPly()).toBe('3');
  });

  it('goes to a swing, shows the better move, and links to its analysis', async () => {
    await open('', answering({ state: 'done', review: REVIEW }));
    expect(jumps().map((jump) => jump.textContent)).toEqual(['??Move 1, White: e2-e4Blunder, −15%', '?Move 2, Black: e7-e5Mistake, −11%']);
    act(() => jumps()[0]?.click());
    expect(shownPly()).toBe('1');
    expect(jumps().map((jump) => jump.getAttribute('aria-current'))).toEqual(['step', null]);
    expect(document.querySelector('g.hint')).not.toBeNull();
    const best = [...document.querySelectorAll('[data-testid="review-best"]')];
    expect(best[0]?.textContent).toBe('Best was d4 d5');
    expect(best[0]?.getAttribute('href')).toBe(`/analysis?match=${MATCH}&ply=0&moves=d2d4-d7d5`);
    act(() => byTestId('look-forward').click());
    expect(jumps().map((jump) => jump.getAttribute('aria-current'))).toEqual([null, 'step']);
    act(() => byTestId('look-forward').click());
    expect(document.querySelector('g.hint')).toBeNull();
  });

  it('shows the chances at the displayed ply as a graph and as text, and a press on the graph goes to its ply', async () => {
    await open('?ply=1', answering({ state: 'done', review: REVIEW }));
    const shares = (): (string | null)[] => [...document.querySelectorAll('.review-share')].map((share) => share.textContent);
    expect(shares()).toEqual(['35%', '65%']);
    expect(byTestId('review-graph').getAttribute('aria-label')).toBe('Graph of the winning chances. Move 1 of 3: White 35% and Black 65%');
    await pressGraph(1);
    expect([shownPly(), shares()]).toEqual(['3', ['100%', '0%']]);
    await pressGraph(-2);
    expect(shownPly()).toBe('0');
    // A press near a swing goes to the swing.
    await pressGraph(0.35);
    expect(shownPly()).toBe('1');
  });
});

describe('bandBoundaries', () => {
  it('has one more boundary than players, from 0 to the whole', () => {
    expect(bandBoundaries(REVIEW, ['white', 'black'])).toEqual([
      [0, 0, 0, 0],
      [500, 350, 400, 1_000],
      [1_000, 1_000, 1_000, 1_000],
    ]);
  });
});
