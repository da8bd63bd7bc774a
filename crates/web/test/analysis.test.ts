import { beforeEach, describe, expect, it, vi } from 'vitest';
import { REFUSAL_WAIT_MS } from '../src/connection/follower.ts';
import { Refusal } from '../src/connection/outbox.ts';
import { tabPersistence } from '../src/store/persistence.ts';
import { Analysis } from '../src/store/analysis/analysis.ts';
import { persistAnalysis, restoreAnalysis } from '../src/store/analysis/analysis-storage.ts';
import { lineEnd, movesTo, START } from '../src/store/analysis/line-tree.ts';
import { ScriptedExplorer, flushTasks } from './support/explorer.ts';

const START_SETUP = { kind: 'start', variant: 'classic' } as const;
const GAME = { kind: 'text', text: '1. e4 e5 2. Nf3' } as const;

let server: ScriptedExplorer;
let analysis: Analysis;

const line = (): string => movesTo(analysis.tree.value, analysis.currentNode.value).join(' ');

async function begin(setup: Parameters<Analysis['begin']>[0] = START_SETUP, ply?: number): Promise<void> {
  void analysis.begin(setup, [], ply);
  await server.answer();
}

async function play(mv: string): Promise<void> {
  void analysis.playMove(mv);
  await server.answer();
}

beforeEach(() => {
  server = new ScriptedExplorer();
  server.texts[GAME.text] = ['e2e4', 'e7e5', 'g1f3'];
  analysis = new Analysis(server);
});

describe('playing moves', () => {
  it('requests the whole line and shows the server’s facts', async () => {
    await begin();
    await play('e2e4');
    await play('e7e5');
    expect(server.last.body).toEqual({ setup: START_SETUP, moves: ['e2e4', 'e7e5'] });
    expect(analysis.pieces.value).toMatchObject({ e4: 'wP', e5: 'bP' });
    expect(analysis.currentFacts.value).toMatchObject({ fen: 'fen after 2', state: { turn: 'white' } });
    expect(analysis.legal.value.canMove('g1')).toBe(true);
  });

  it('shows a move before the answer, without legal moves after it', async () => {
    await begin();
    void analysis.playMove('e2e4');
    expect(analysis.pieces.value['e4']).toBe('wP');
    expect(analysis.pieces.value['e2']).toBeUndefined();
    expect(analysis.legal.value.canMove('g1')).toBe(false);
    expect(analysis.isBusy.value).toBe(true);
    await server.answer();
    expect(analysis.isBusy.value).toBe(false);
  });

  it('requests each node once', async () => {
    await begin();
    await play('e2e4');
    analysis.step('back');
    await analysis.exploreCurrent();
    analysis.step('forward');
    await analysis.exploreCurrent();
    expect(server.requests).toHaveLength(2);
    expect(line()).toBe('e2e4');
  });

  it('does not repeat a pending request', async () => {
    await begin();
    void analysis.playMove('e2e4');
    void analysis.exploreCurrent();
    expect(server.requests).toHaveLength(2);
    await server.answer();
    expect(analysis.currentFacts.value?.fen).toBe('fen after 1');
  });

  it('opens a side line in the middle, promotes it and removes it', async () => {
    await begin(GAME);
    analysis.goTo(START);
    analysis.step('forward');
    await play('d7d5');
    expect(line()).toBe('e2e4 d7d5');
    analysis.promote(analysis.currentNode.value);
    expect(movesTo(analysis.tree.value, lineEnd(analysis.tree.value, START))).toEqual(['e2e4', 'd7d5']);
    analysis.remove(analysis.currentNode.value);
    expect(line()).toBe('e2e4');
    analysis.step('end');
    expect(line()).toBe('e2e4 e7e5 g1f3');
  });
});

describe('a game in notation', () => {
  it('is sent as text up to the node where a line leaves it', async () => {
    await begin(GAME);
    expect(line()).toBe('e2e4 e7e5 g1f3');
    analysis.step('back');
    void analysis.exploreCurrent();
    expect(server.last.body).toEqual({ setup: { ...GAME, plies: 2 } });
    await server.answer();
    await play('b1c3');
    expect(server.last.body).toEqual({ setup: { ...GAME, plies: 2 }, moves: ['b1c3'] });
    analysis.goTo(lineEnd(analysis.tree.value, START));
    await play('b8c6');
    expect(server.last.body).toEqual({ setup: GAME, moves: ['b8c6'] });
  });

  it('is opened at the ply of the link', async () => {
    await begin(GAME, 1);
    await server.answer();
    expect(line()).toBe('e2e4');
    expect(analysis.currentFacts.value?.fen).toBe('fen after 1');
    analysis.step('end');
    expect(line()).toBe('e2e4 e7e5 g1f3');
  });

  it('leaves the analysis unchanged if it cannot be read', async () => {
    await begin();
    await play('e2e4');
    const read = analysis.begin({ kind: 'text', text: 'no game' });
    await server.answer();
    expect(await read).toBe(false);
    expect(analysis.problem.value).toMatchObject({ kind: 'refused', error: { message: 'line 1, column 3: this is no move' } });
    expect(line()).toBe('e2e4');
  });

  it('returns its notation to the end of the current line', async () => {
    await begin(GAME, 1);
    await server.answer();
    const [copied] = await Promise.all([analysis.notation(), flushTasks()]);
    expect(copied).toBe('e2-e4 e7-e5 g1-f3');
  });
});

describe('a slow or lost connection', () => {
  it('ignores an old answer', async () => {
    await begin();
    await play('e2e4');
    void analysis.playMove('e7e5');
    const slow = server.last;
    analysis.step('back');
    analysis.step('back');
    void analysis.playMove('d2d4');
    expect(slow.signal?.aborted).toBe(true);
    await server.answer();
    slow.answer({ fen: 'stale' });
    await flushTasks();
    expect(line()).toBe('d2d4');
    expect(analysis.currentFacts.value?.fen).toBe('fen after 1');
    expect(analysis.problem.value).toBeNull();
  });

  it('ignores a text that was answered after a newer request', async () => {
    void analysis.begin(GAME);
    const slow = server.last;
    await begin();
    slow.answer();
    await flushTasks();
    expect(analysis.root.value?.setup).toEqual(START_SETUP);
    expect(analysis.isBusy.value).toBe(false);
  });

  it('removes a refused move and shows the reason', async () => {
    await begin();
    await play('a1a2');
    expect(line()).toBe('');
    expect(analysis.tree.value.nodes[START]?.children).toEqual([]);
    expect(analysis.problem.value?.error.message).toContain('not legal');
  });

  it('keeps a move while the server is unreachable, and retries on request', async () => {
    await begin();
    void analysis.playMove('e2e4');
    server.last.fail(new TypeError('no network'));
    await flushTasks();
    expect(analysis.problem.value?.kind).toBe('unreachable');
    expect(analysis.pieces.value['e4']).toBe('wP');
    void analysis.exploreCurrent();
    await server.answer();
    expect(analysis.problem.value).toBeNull();
    expect(analysis.currentFacts.value?.fen).toBe('fen after 1');
  });

  it('retries by itself after a rate limit', async () => {
    vi.useFakeTimers();
    try {
      void analysis.begin(START_SETUP);
      server.last.answer();
      await vi.advanceTimersByTimeAsync(0);
      void analysis.playMove('e2e4');
      server.last.fail(new Refusal('rate_limited', 'slow down'));
      await vi.advanceTimersByTimeAsync(REFUSAL_WAIT_MS - 1);
      expect(server.requests).toHaveLength(2);
      await vi.advanceTimersByTimeAsync(1);
      expect(server.requests).toHaveLength(3);
      expect(analysis.problem.value).toBeNull();
      expect(line()).toBe('e2e4');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a reload', () => {
  it('restores the analysis unless the address has another query', async () => {
    const stop = persistAnalysis(analysis, () => '?fen=x', tabPersistence);
    await begin(GAME);
    analysis.step('back');
    stop();
    const again = new Analysis(server);
    expect(restoreAnalysis(again, '?fen=other', tabPersistence)).toBe(false);
    expect(restoreAnalysis(again, '?fen=x', tabPersistence)).toBe(true);
    await server.answer();
    expect(movesTo(again.tree.value, again.currentNode.value)).toEqual(['e2e4', 'e7e5']);
    expect(again.pieces.value).toEqual(analysis.pieces.value);
    expect(again.currentFacts.value?.fen).toBe('fen after 2');
    expect(restoreAnalysis(new Analysis(server), '', tabPersistence)).toBe(true);
  });

  it('drops stored data of another version', async () => {
    const stop = persistAnalysis(analysis, () => '', tabPersistence);
    await begin(GAME);
    stop();
    const stored = JSON.parse(sessionStorage.getItem('quadrex.analysis') ?? '') as { version: number };
    expect(stored.version).toBe(3);
    sessionStorage.setItem('quadrex.analysis', JSON.stringify({ ...stored, version: 1 }));
    expect(restoreAnalysis(new Analysis(server), '', tabPersistence)).toBe(false);
  });

  it('drops malformed stored data', () => {
    for (const kept of ['{', '{"version":0}', '{"version":2,"tree":{"nodes":{}},"at":3}']) {
      sessionStorage.setItem('quadrex.analysis', kept);
      expect(restoreAnalysis(analysis, '', tabPersistence)).toBe(false);
    }
  });
});
