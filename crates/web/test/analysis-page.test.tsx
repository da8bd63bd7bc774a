import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Api } from '../src/store/api.ts';
import { ScriptedExplorer, flushTasks } from './support/explorer.ts';
import { click, closePage, fillField, byTestId, exists, pressSquare, renderAnalysis, square, submitField } from './support/page.tsx';

let server: ScriptedExplorer;

async function answer(more?: Parameters<ScriptedExplorer['answer']>[0]): Promise<void> {
  await act(() => server.answer(more));
}

async function open(search = '?variant=classic', api: Partial<Api> = {}): Promise<void> {
  await renderAnalysis(search, { explore: server.explore, ...api });
}

const moves = (): string => byTestId('tree').textContent ?? '';

beforeEach(() => {
  sessionStorage.clear();
  server = new ScriptedExplorer();
});
afterEach(() => {
  closePage();
  history.replaceState(null, '', '/');
});

describe('the analysis page', () => {
  it('plays moves of every color on the board', async () => {
    await open();
    await answer();
    expect(byTestId('status').textContent).toContain('White to move');
    pressSquare('e2');
    pressSquare('e4');
    expect(square('e4').dataset['piece']).toBe('wP');
    expect(byTestId('analysis').dataset['busy']).toBe('true');
    await answer();
    expect(byTestId('status').textContent).toContain('Black to move');
    pressSquare('d7');
    pressSquare('e4');
    await answer();
    expect(moves()).toBe('Start1.e2-e4d7-e4');
  });

  it('tells screen readers how the board is turned', async () => {
    await open();
    await answer();
    expect(byTestId('orientation').textContent).toBe('');
    click(byTestId('turn-board'));
    expect(byTestId('orientation').textContent).toBe('Two-player board, Black is at the bottom');
  });

  it('draws the arrow of a check', async () => {
    await open('?variant=classic&moves=e2e4');
    await answer({ line: [{ color: 'white', move: 'e2e4', notation: 'e2-e4', squares: {}, attacks: [{ from: 'e4', to: 'e8' }] }] });
    expect(document.querySelectorAll('.overlay .attack')).toHaveLength(1);
  });

  it('opens a side line, steps through it, promotes it and removes it', async () => {
    await open('?variant=classic&moves=e2e4-e7e5');
    await answer();
    click(byTestId('walk-back'));
    await act(flushTasks);
    submitField('move-input', 'd7e4');
    expect(document.body.textContent).toContain('d7e4 is not legal now');
    // A node that stays displayed is explored.
    await act(() => vi.waitFor(() => expect(server.requests).toHaveLength(2)));
    await answer();
    submitField('move-input', 'd7e4');
    await answer();
    expect(moves()).toBe('Start1.e2-e4e7-e51…d7-e4');
    click(byTestId('promote-line'));
    expect(moves()).toBe('Start1.e2-e4d7-e41…e7-e5');
    click(byTestId('walk-start'));
    expect(byTestId('tree-start').getAttribute('aria-current')).toBe('true');
    click(byTestId('walk-end'));
    click(byTestId('remove-line'));
    expect(moves()).toBe('Start1.e2-e4e7-e5');
  });

  it('shows the error of a text and keeps the text', async () => {
    await open();
    await answer();
    fillField('paste', '1. e4 nonsense');
    click(byTestId('read'));
    await answer();
    expect(byTestId('paste-wrong').textContent).toBe('This is not a valid position or game.');
    expect(byTestId('paste-details').textContent).toBe('Detailsline 1, column 3: this is no move');
    expect(byTestId<HTMLTextAreaElement>('paste').value).toBe('1. e4 nonsense');
    expect(square('e2').dataset['piece']).toBe('wP');
    fillField('paste', '1. e4');
    expect(byTestId('paste-wrong').textContent).toBe('');
  });

  it('shows where a game stopped and what was ignored', async () => {
    server.texts['games'] = ['e2e4'];
    await open();
    await answer();
    fillField('paste', 'games');
    click(byTestId('read'));
    await answer({
      stopped: { line: 2, column: 7, round: 3, color: 'white', text: 'Qxh9', reason: 'there is no h9' },
      more_games: 2,
    });
    expect(byTestId('import-notes').textContent).toContain('line 2, column 7, “Qxh9”: there is no h9');
    expect(byTestId('import-notes').textContent).toContain('2 more games');
    expect(moves()).toContain('e2-e4');
  });

  it('starts from a match at a ply', async () => {
    server.texts['[the match]'] = ['e2e4', 'e7e5', 'g1f3'];
    await open('?match=m1&ply=2', { notation: (match: string) => Promise.resolve(match === 'm1' ? '[the match]' : '') });
    await answer();
    await answer();
    expect(moves()).toBe('Start1.e2-e4e7-e52.g1-f3');
    expect(document.querySelector('[data-testid="tree-move"][aria-current]')?.textContent).toBe('e7-e5');
  });

  it('shows that the server is unreachable, and retries on request', async () => {
    await open();
    await act(async () => {
      server.last.fail(new TypeError('no network'));
      await flushTasks();
    });
    expect(exists('away')).toBe(true);
    click(byTestId('ask-again'));
    await answer();
    expect(exists('away')).toBe(false);
    expect(square('e2').dataset['piece']).toBe('wP');
  });

  it('restores the analysis after a reload', async () => {
    await open('?variant=classic&moves=e2e4');
    await answer();
    closePage();
    await open('?variant=classic&moves=e2e4');
    expect(moves()).toBe('Start1.e2-e4');
    expect(square('e4').dataset['piece']).toBe('wP');
  });

  it('offers the position, the link and the line for copying', async () => {
    await open('?variant=classic&moves=e2e4');
    await answer();
    expect(byTestId<HTMLInputElement>('fen').value).toBe('fen after 1');
    expect(byTestId<HTMLInputElement>('share').value).toMatch(/\/analysis\?variant=classic&moves=e2e4$/);
    click(byTestId('show-line'));
    await act(flushTasks);
    expect(byTestId<HTMLTextAreaElement>('notation').value).toBe('e2-e4');
  });
});
