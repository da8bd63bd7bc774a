import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Analyse, Analysis, MatchView } from '../src/protocol/generated.ts';
import type { Api } from '../src/store/api.ts';
import { ScriptedExplorer, flushTasks } from './support/explorer.ts';
import { MATCH, ScriptedMatch, TABLE } from './support/match.ts';
import { click, closePage, byTestId, exists, findElement, renderAnalysis, renderMatch } from './support/page.tsx';
import { classicAnalysis, crossAnalysis } from './support/analyses.ts';

/** The requests to the engine and its answers. */
let asked: Analyse[];
let answer: () => Promise<Analysis>;

const analyse: Api['analyse'] = (body) => {
  asked.push(body);
  return answer();
};

/** Waits until the engine has answered a number of requests. */
async function untilAsked(times: number): Promise<void> {
  await act(() => vi.waitFor(() => expect(asked).toHaveLength(times)));
  await act(flushTasks);
}

beforeEach(() => {
  asked = [];
  answer = () => Promise.resolve(classicAnalysis({ e2e4: 250, d2d4: 20 }));
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => {
  closePage();
  vi.useRealTimers();
  history.replaceState(null, '', '/');
});

describe('the engine on the analysis page', () => {
  let server: ScriptedExplorer;

  async function open(): Promise<void> {
    server = new ScriptedExplorer();
    await renderAnalysis('?variant=classic&moves=g1f3', { explore: server.explore, analyse });
    await act(() => server.answer());
  }

  it('is off by default, and remembers the switch', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await open();
    expect(exists('score-bar')).toBe(false);
    expect(byTestId('engine').dataset['state']).toBe('off');
    await act(async () => {
      await vi.advanceTimersByTimeAsync(60_000);
    });
    vi.useRealTimers();
    expect(asked).toHaveLength(0);
    click(byTestId('set-engine'));
    expect(byTestId('engine').dataset['state']).toBe('searching');
    await untilAsked(1);
    expect(asked).toEqual([{ setup: { kind: 'start', variant: 'classic' }, moves: ['g1f3'], lines: 3 }]);
    closePage();
    await open();
    await untilAsked(2);
    expect(byTestId<HTMLInputElement>('set-engine').checked).toBe(true);
  });

  it('shows playable lines, the best move as an arrow, and the chances as a bar', async () => {
    await open();
    click(byTestId('set-engine'));
    await untilAsked(1);
    expect(byTestId('engine-evaluation').textContent).toBe('White is clearly better');
    expect([...document.querySelectorAll('[data-testid="engine-line"]')].map((line) => line.textContent)).toEqual([
      '+2.5e2-e4e7-e5',
      '+0.2d2-d4e7-e5',
    ]);
    expect(findElement('.overlay .hint').dataset['drawing']).toBe('e2e4');
    expect(byTestId('score-bar').getAttribute('aria-label')).toBe('Chances to win: White 74% and Black 26%');
    const [bottom, top] = [...document.querySelectorAll<HTMLElement>('.score-share')];
    expect([bottom?.dataset['color'], top?.dataset['color']]).toEqual(['white', 'black']);
    expect([bottom, top].map((share) => share?.style.getPropertyValue('--share'))).toEqual(['0.739', '0.261']);
    expect(top?.style.getPropertyValue('--from')).toBe('0.739');
    click(findElement('[data-testid="engine-line"]:last-child [data-testid="engine-move"]:last-child'));
    expect(server.last.body.moves).toEqual(['g1f3', 'd2d4', 'e7e5']);
    expect(byTestId('engine').dataset['state']).toBe('searching');
    expect(document.querySelector('.overlay .hint')).toBeNull();
  });

  it('is announced on request only', async () => {
    await open();
    click(byTestId('set-engine'));
    await untilAsked(1);
    expect(byTestId('engine-heard').textContent).toBe('');
    click(byTestId('engine-read-aloud'));
    expect(byTestId('engine-heard').textContent).toContain('Best move e2-e4');
  });

  it('shows why there is no analysis, and retries if that may help', async () => {
    answer = () => Promise.reject(new Refusal('playing', 'you play a match'));
    await open();
    click(byTestId('set-engine'));
    await untilAsked(1);
    expect(byTestId('engine-error').textContent).toBe('You play a match.');
    closePage();
    answer = () => Promise.reject(new TypeError('no line'));
    await open();
    await untilAsked(2);
    answer = () => Promise.resolve(classicAnalysis({ e2e4: 0 }));
    click(byTestId('engine-again'));
    await untilAsked(3);
    expect(byTestId('engine-evaluation').textContent).toBe('Even');
  });
});

describe('the engine at a replay', () => {
  function played(): MatchView {
    const match = new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Ben', yellow: 'Cay', green: 'Dan' }).startMatch('red');
    match.move('h2h4');
    match.move('b7d7');
    const outcome = { reason: 'agreement' as const, places: { red: 1, blue: 1, yellow: 1, green: 1 } };
    match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } });
    return { table: TABLE, match: MATCH, seq: match.seq, view: match.snapshot(null).view };
  }

  async function open(search: string, api: Partial<Api> = {}): Promise<void> {
    localStorage.setItem('quadrex.preferences', JSON.stringify({ version: 1, engine: true }));
    await renderMatch(search, { match: () => Promise.resolve(played()), notation: () => Promise.resolve('1. h2-h4'), analyse, ...api });
  }

  it('analyses the notation up to the displayed ply, with links to the analysis', async () => {
    answer = () => Promise.resolve(crossAnalysis({ red: 400, blue: 300, yellow: 200, green: 100 }));
    await open('?ply=1');
    await untilAsked(1);
    expect(asked).toEqual([{ setup: { kind: 'text', text: '1. h2-h4', plies: 1 }, lines: 3 }]);
    const shares = [...document.querySelectorAll<HTMLElement>('.score-share')];
    expect(shares.map(({ dataset, style }) => `${dataset['color']} ${style.getPropertyValue('--share')}`)).toEqual(['red 0.4', 'blue 0.3', 'green 0.1', 'yellow 0.2']);
    expect(byTestId('engine-move').getAttribute('href')).toBe(`/analysis?match=${MATCH}&ply=1&moves=h2h4`);
  });

  it('has no analysis of an ended match', async () => {
    await open('');
    await vi.waitFor(() => expect(byTestId('engine').dataset['state']).toBe('over'));
    expect(asked).toHaveLength(0);
  });

  it('fetches the match again after a failure', async () => {
    let fails = true;
    const notation = (): Promise<string> => (fails ? Promise.reject(new TypeError('no line')) : Promise.resolve('text'));
    await open('?ply=1', { notation });
    await vi.waitFor(() => byTestId('engine-error'));
    fails = false;
    click(byTestId('engine-again'));
    await untilAsked(1);
    expect(exists('engine-error')).toBe(false);
  });
});
