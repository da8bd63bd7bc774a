import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { MatchView } from '../src/protocol/generated.ts';
import { moveTimes } from '../src/store/move-times.ts';
import { openPlayer } from '../src/view/people/open-player.ts';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { MATCH, ScriptedMatch, TABLE } from './support/match.ts';
import { click, closePage, byTestId, findElement, pressKey, renderMatch, square } from './support/page.tsx';

/** A match of three moves that Black resigned. */
function played(): ScriptedMatch {
  const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
  match.move('e2e4');
  match.move('e7e5');
  match.move('g1f3');
  const outcome = { reason: 'resign' as const, places: { white: 1, black: 2 } };
  match.step({ event: { type: 'ended', ...outcome }, state: { phase: 'ended', turn: null, outcome } });
  return match;
}

function viewOf(match: ScriptedMatch): MatchView {
  return { table: TABLE, match: MATCH, seq: match.seq, view: match.snapshot('white').view };
}

async function open(search: string, answer: () => Promise<MatchView> = () => Promise.resolve(viewOf(played()))): Promise<void> {
  await renderMatch(search, { match: answer });
}

const shown = (): string | undefined => byTestId('replay').dataset['ply'];
const address = (): string => location.pathname + location.search;

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => {
  closePage();
  vi.useRealTimers();
  history.replaceState(null, '', '/');
});

describe('the replay of a match', () => {
  it('begins at the end, with the result and no legal moves', async () => {
    await open('');
    expect(shown()).toBe('3');
    expect(byTestId('status').textContent).toContain('White wins');
    expect(byTestId('result').dataset['reason']).toBe('resign');
    expect(document.querySelector('[data-movable]')).toBeNull();
    expect(address()).toBe(`/m/${MATCH}`);
  });

  it('tells screen readers how the board is turned, but nothing when the page opens', async () => {
    await open('');
    expect(byTestId('orientation').textContent).toBe('');
    click(byTestId('look-turn'));
    expect(byTestId('orientation').textContent).toBe('Two-player board, Black is at the bottom');
    click(byTestId('look-turn'));
    expect(byTestId('orientation').textContent).toBe('Two-player board, White is at the bottom');
  });

  it('opens the dialog about a player, with the moment for a report', async () => {
    await open('?ply=1');
    expect(byTestId('seat-white').querySelector('button'), 'there is none about the viewer').toBeNull();
    click(findElement('[data-testid="seat-black"] .player-name'));
    expect(openPlayer.value?.user).toEqual(user('Ben'));
    expect(openPlayer.value?.moment?.match).toBe(MATCH);
    openPlayer.value = null;
  });

  it('begins at the ply of the link, and updates the address', async () => {
    await open('?ply=1');
    expect(shown()).toBe('1');
    expect(square('e4').dataset['piece']).toBe('wP');
    expect(square('e7').dataset['piece']).toBe('bP');
    expect(byTestId('status').textContent).toContain('Black to move');
    pressKey('ArrowRight');
    expect(address()).toBe(`/m/${MATCH}?ply=2`);
    expect(byTestId<HTMLInputElement>('replay-link').value).toMatch(/\?ply=2$/);
    expect(byTestId('analyse').getAttribute('href')).toBe(`/analysis?match=${MATCH}&ply=2`);
    pressKey('Home');
    expect(address()).toBe(`/m/${MATCH}?ply=0`);
    expect(square('e2').dataset['piece']).toBe('wP');
    pressKey('End');
    expect(address()).toBe(`/m/${MATCH}`);
  });

  it('goes to a clicked move and to the slider’s ply', async () => {
    await open('');
    click(document.querySelector<HTMLElement>('[data-after="2"]') ?? document.body);
    expect(shown()).toBe('2');
    const slider = byTestId<HTMLInputElement>('timeline');
    expect([slider.max, slider.value]).toEqual(['3', '2']);
    act(() => {
      slider.value = '1';
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    expect(shown()).toBe('1');
    expect(slider.getAttribute('aria-valuetext')).toBe('Move 1 of 3');
  });

  it('plays by itself at the chosen speed', async () => {
    await open('?ply=0');
    click(byTestId('look-play'));
    act(() => void vi.advanceTimersByTime(900));
    expect(shown()).toBe('1');
    const pace = byTestId<HTMLSelectElement>('pace');
    act(() => {
      pace.value = '2';
      pace.dispatchEvent(new Event('change', { bubbles: true }));
    });
    act(() => void vi.advanceTimersByTime(450));
    expect(shown()).toBe('2');
    act(() => void vi.advanceTimersByTime(450));
    expect(shown()).toBe('3');
    act(() => void vi.advanceTimersByTime(5_000));
    expect(shown()).toBe('3');
  });

  it('reports a missing match', async () => {
    await open('', () => Promise.reject(new Refusal('not_found', 'there is nothing here')));
    expect(byTestId('missing').textContent).toContain('Match not found');
  });

  it('retries after a lost connection', async () => {
    const answers = [() => Promise.reject(new TypeError('no network')), () => Promise.resolve(viewOf(played()))];
    await open('', () => (answers.shift() ?? (() => Promise.reject(new Error('asked too often'))))());
    await act(async () => {
      byTestId('again').click();
      await flushTasks();
    });
    await act(flushTasks);
    expect(shown()).toBe('3');
  });
});

describe('moveTimes', () => {
  it('counts from the start of the turn, without pauses', () => {
    const at = (seconds: number, type: 'started' | 'moved' | 'paused' | 'resumed', seq: number) =>
      ({ seq, at_ms: seconds * 1_000, event: type === 'moved' ? { type, color: 'white', move: 'e2e4' } : { type } }) as never;
    const times = moveTimes([at(0, 'started', 1), at(5, 'moved', 2), at(9, 'paused', 3), at(60, 'resumed', 4), at(62, 'moved', 5)]);
    expect([...times]).toEqual([
      [2, 5_000],
      [5, 2_000],
    ]);
  });
});
