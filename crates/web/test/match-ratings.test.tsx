import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SeatRating } from '../src/protocol/generated.ts';
import { MatchRatings, RATINGS_ATTEMPTS, RATINGS_POLL_MS } from '../src/store/match-ratings.ts';
import { MATCH, ScriptedMatch, SETTINGS } from './support/match.ts';
import { byTestId, closePage, exists, findElement, renderTableAfterSnapshot } from './support/page.tsx';

const BEFORE: readonly SeatRating[] = [
  { color: 'white', before: 1523, expected_place: 1.46 },
  { color: 'black', before: 1500, provisional: true, expected_place: 1.54 },
];
const AFTER: readonly SeatRating[] = [
  { ...BEFORE[0], color: 'white', before: 1523, expected_place: 1.46, after: 1535 },
  { ...BEFORE[1], color: 'black', before: 1500, expected_place: 1.54, after: 1460 },
];

/** Returns a rated match that is running. */
function running(isRated = true): ScriptedMatch {
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
  match.view = { settings: { ...SETTINGS, rated: isRated, time: { kind: 'fischer', base_ms: 600_000, increment_ms: 5_000 } } };
  return match;
}

/** Ends the match; White wins. */
function end(match: ScriptedMatch): ReturnType<ScriptedMatch['step']> {
  const outcome = { reason: 'resign', places: { white: 1, black: 2 } } as const;
  return match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } });
}

/** Returns an API whose answers follow each other; the last one repeats. */
function answering(...answers: readonly (readonly SeatRating[] | Error)[]): { asked: string[]; matchRatings: (match: string) => Promise<{ seats: SeatRating[] }> } {
  const asked: string[] = [];
  return {
    asked,
    matchRatings: (match) => {
      asked.push(match);
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? [];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ seats: [...answer] });
    },
  };
}

/** Lets time pass, with the requests and renderings in it. */
async function pass(ms: number): Promise<void> {
  await act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
}

const changes = (): string[] => [...document.querySelectorAll('.seat-rating')].map((seat) => seat.textContent ?? '');

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  closePage();
  vi.useRealTimers();
});

describe('after a rated match', () => {
  it('the result shows the change of each rating', async () => {
    const api = answering(AFTER);
    const match = running();
    end(match);
    renderTableAfterSnapshot(match, 'white', undefined, api);
    await pass(0);
    expect(api.asked).toEqual([MATCH]);
    expect(changes()).toEqual(['1523 +12', '1500? −40']);
    expect(byTestId('rating-change').title).toBe('Rating after the match: 1535');
    await pass(RATINGS_POLL_MS * 3);
    expect(api.asked).toHaveLength(1);
  });

  it('the result waits for the changes, at a reserved place', async () => {
    const api = answering(BEFORE, new TypeError('no network'), [], AFTER);
    const match = running();
    const socket = renderTableAfterSnapshot(match, 'white', undefined, api);
    await pass(RATINGS_POLL_MS);
    expect(api.asked).toEqual([]);
    act(() => socket.receive(end(match)));
    await pass(0);
    expect(changes()).toEqual(['', '']);
    await pass(RATINGS_POLL_MS * 2);
    expect(changes()).toEqual(['', '']);
    await pass(RATINGS_POLL_MS);
    expect(changes()).toEqual(['1523 +12', '1500? −40']);
  });

  it('nothing is requested for a casual match', async () => {
    const api = answering(AFTER);
    const match = running(false);
    end(match);
    renderTableAfterSnapshot(match, 'white', undefined, api);
    await pass(RATINGS_POLL_MS);
    expect(api.asked).toEqual([]);
    expect(changes()).toEqual([]);
  });

  it('the requests end if the match does not count, and when the page closes', async () => {
    const api = answering([]);
    const ratings = new MatchRatings(api, MATCH);
    void ratings.loadChanges();
    await vi.advanceTimersByTimeAsync(RATINGS_POLL_MS * 20);
    expect(api.asked).toHaveLength(RATINGS_ATTEMPTS);

    const closed = new MatchRatings(api, MATCH);
    void closed.loadChanges();
    closed.dispose();
    await vi.advanceTimersByTimeAsync(RATINGS_POLL_MS * 20);
    expect(api.asked).toHaveLength(RATINGS_ATTEMPTS + 1);
  });
});

describe('the settings of a rated table', () => {
  async function openSettings(match: ScriptedMatch, api: ReturnType<typeof answering>): Promise<void> {
    renderTableAfterSnapshot(match, 'white', undefined, api);
    await pass(1_000);
    const details = findElement<HTMLDetailsElement>('.facts details');
    act(() => {
      details.open = true;
      details.dispatchEvent(new Event('toggle'));
    });
    await pass(0);
  }

  it('have the ratings and the expected places, which are requested when they are opened', async () => {
    const api = answering(BEFORE);
    await openSettings(running(), api);
    expect(api.asked).toEqual([MATCH]);
    expect([...byTestId('expected-places').querySelectorAll('li')].map((line) => line.textContent)).toEqual(['White 1523 · 1.5', 'Black 1500? · 1.5']);
  });

  it('have none at a casual table, and before the match', async () => {
    const api = answering(BEFORE);
    await openSettings(running(false), api);
    const open = new ScriptedMatch('classic', { white: 'Ada', black: null });
    open.view = { settings: { ...SETTINGS, rated: true } };
    closePage();
    await openSettings(open, api);
    expect(api.asked).toEqual([]);
    expect(exists('expected-places')).toBe(false);
  });
});
