import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Analysis } from '../src/protocol/generated.ts';
import { Engine, type EnginePosition } from '../src/store/engine.ts';
import { classicAnalysis } from './support/analyses.ts';

/** An unanswered request. */
interface Asked {
  readonly key: string;
  readonly until: AbortSignal;
  readonly answer: (analysis: Analysis) => void;
  readonly fail: (error: Error) => void;
}

let asked: Asked[];
let engine: Engine;

const place = (key: string): EnginePosition => ({
  kind: 'known',
  key,
  request: (until) => new Promise((answer, fail) => asked.push({ key, until, answer, fail })),
});

const last = (): Asked => {
  const question = asked.at(-1);
  if (question === undefined) throw new Error('nothing was asked');
  return question;
};

const found = classicAnalysis({ e2e4: 30 });

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  engine = new Engine();
});
afterEach(() => vi.useRealTimers());

describe('the engine', () => {
  it('analyses a position after it has been displayed for a moment', async () => {
    engine.analyse(place('a'));
    expect(engine.status.value).toEqual({ kind: 'searching', previous: null });
    expect(asked).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(300);
    expect(asked.map(({ key }) => key)).toEqual(['a']);
    last().answer(found);
    await vi.advanceTimersByTimeAsync(0);
    expect(engine.status.value).toEqual({ kind: 'done', analysis: found });
  });

  it('sends no request about positions that are passed quickly', async () => {
    engine.analyse(place('a'));
    await vi.advanceTimersByTimeAsync(100);
    engine.analyse(place('b'));
    await vi.advanceTimersByTimeAsync(100);
    engine.analyse(place('c'));
    await vi.advanceTimersByTimeAsync(300);
    expect(asked.map(({ key }) => key)).toEqual(['c']);
  });

  it('cancels an old request and ignores its answer', async () => {
    engine.analyse(place('a'));
    await vi.advanceTimersByTimeAsync(300);
    const first = last();
    engine.analyse(place('b'));
    expect(first.until.aborted).toBe(true);
    first.answer(found);
    await vi.advanceTimersByTimeAsync(300);
    expect(engine.status.value.kind).toBe('searching');
    expect(last().key).toBe('b');
    engine.stop();
    expect(last().until.aborted).toBe(true);
    expect(engine.status.value).toEqual({ kind: 'off' });
  });

  it('shows a cached analysis at once, and the previous one while it searches', async () => {
    engine.analyse(place('a'));
    await vi.advanceTimersByTimeAsync(300);
    last().answer(found);
    await vi.advanceTimersByTimeAsync(0);
    engine.analyse({ kind: 'unknown' });
    expect(engine.status.value).toEqual({ kind: 'searching', previous: found });
    engine.analyse(place('b'));
    expect(engine.status.value).toEqual({ kind: 'searching', previous: found });
    engine.analyse(place('a'));
    expect(engine.status.value).toEqual({ kind: 'done', analysis: found });
    expect(asked).toHaveLength(1);
  });

  it('sends no request after the end of a game', async () => {
    engine.analyse({ kind: 'over' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(engine.status.value).toEqual({ kind: 'over' });
    expect(asked).toHaveLength(0);
  });

  it('retries a busy engine a limited number of times', async () => {
    const tries: number[] = [];
    const busy: EnginePosition = {
      kind: 'known',
      key: 'a',
      request: () => {
        tries.push(Date.now());
        return Promise.reject(new Refusal(tries.length % 2 === 0 ? 'busy' : 'rate_limited', 'too much'));
      },
    };
    engine.analyse(busy);
    await vi.advanceTimersByTimeAsync(300 + 1_500);
    expect(tries).toHaveLength(2);
    expect(engine.status.value.kind).toBe('searching');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tries).toHaveLength(6);
    expect(engine.status.value.kind).toBe('refused');
    engine.retry(place('a'));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(1);
  });

  it('reports the reason of a refusal', async () => {
    engine.analyse(place('a'));
    await vi.advanceTimersByTimeAsync(300);
    const error = new Refusal('playing', 'you play');
    last().fail(error);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(engine.status.value).toEqual({ kind: 'refused', error });
    expect(asked).toHaveLength(1);
  });
});
