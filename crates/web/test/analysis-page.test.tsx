import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Api } from '../src/store/api.ts';
import { ScriptedExplorer, settled } from './support/explorer.ts';
import { click, closePage, fill, hook, isThere, press, showAnalysis, square, write } from './support/page.tsx';

let server: ScriptedExplorer;

async function answer(more?: Parameters<ScriptedExplorer['answer']>[0]): Promise<void> {
  await act(() => server.answer(more));
}

async function open(search = '?variant=classic', api: Partial<Api> = {}): Promise<void> {
  await showAnalysis(search, { explore: server.explore, ...api });
}

const moves = (): string => hook('tree').textContent ?? '';

beforeEach(() => {
  sessionStorage.clear();
  server = new ScriptedExplorer();
});
afterEach(() => {
  closePage();
  history.replaceState(null, '', '/');
});

describe('the analysis page', () => {
  it('tries moves on the board, for whoever is to move', async () => {
    await open();
    await answer();
    expect(hook('status').textContent).toContain('White to move');
    press('e2');
    press('e4');
    expect(square('e4').dataset['piece']).toBe('wP');
    expect(hook('analysis').dataset['busy']).toBe('true');
    await answer();
    expect(hook('status').textContent).toContain('Black to move');
    press('d7');
    press('e4');
    await answer();
    expect(moves()).toBe('Start1.e2-e4d7-e4');
  });

  it('draws the line of a check', async () => {
    await open('?variant=classic&moves=e2e4');
    await answer({ line: [{ color: 'white', move: 'e2e4', notation: 'e2-e4', squares: {}, attacks: [{ from: 'e4', to: 'e8' }] }] });
    expect(document.querySelectorAll('.overlay .attack')).toHaveLength(1);
  });

  it('opens a side line, walks it, puts it first and deletes it', async () => {
    await open('?variant=classic&moves=e2e4-e7e5');
    await answer();
    click(hook('walk-back'));
    await act(settled);
    write('move-input', 'd7e4');
    expect(document.body.textContent).toContain('d7e4 is not legal now');
    // Who stands still at a place is told what can be tried there.
    await act(() => vi.waitFor(() => expect(server.questions).toHaveLength(2)));
    await answer();
    write('move-input', 'd7e4');
    await answer();
    expect(moves()).toBe('Start1.e2-e4e7-e51…d7-e4');
    click(hook('promote-line'));
    expect(moves()).toBe('Start1.e2-e4d7-e41…e7-e5');
    click(hook('walk-start'));
    expect(hook('tree-start').getAttribute('aria-current')).toBe('true');
    click(hook('walk-end'));
    click(hook('remove-line'));
    expect(moves()).toBe('Start1.e2-e4e7-e5');
  });

  it('says what is wrong with a text and keeps it', async () => {
    await open();
    await answer();
    fill('paste', '1. e4 nonsense');
    click(hook('read'));
    await answer();
    expect(hook('paste-wrong').textContent).toBe('Line 1, column 3: this is no move.');
    expect(hook<HTMLTextAreaElement>('paste').value).toBe('1. e4 nonsense');
    expect(square('e2').dataset['piece']).toBe('wP');
    fill('paste', '1. e4');
    expect(hook('paste-wrong').textContent).toBe('');
  });

  it('tells where following a text stopped, and what was left out', async () => {
    server.texts['games'] = ['e2e4'];
    await open();
    await answer();
    fill('paste', 'games');
    click(hook('read'));
    await answer({
      stopped: { line: 2, column: 7, round: 3, color: 'white', text: 'Qxh9', reason: 'there is no h9' },
      more_games: 2,
    });
    expect(hook('import-notes').textContent).toContain('line 2, column 7, “Qxh9”: there is no h9');
    expect(hook('import-notes').textContent).toContain('2 more games');
    expect(moves()).toContain('e2-e4');
  });

  it('begins from a match of this server at a ply', async () => {
    server.texts['[the match]'] = ['e2e4', 'e7e5', 'g1f3'];
    await open('?match=m1&ply=2', { notation: (match: string) => Promise.resolve(match === 'm1' ? '[the match]' : '') });
    await answer();
    await answer();
    expect(moves()).toBe('Start1.e2-e4e7-e52.g1-f3');
    expect(document.querySelector('[data-testid="tree-move"][aria-current]')?.textContent).toBe('e7-e5');
  });

  it('says that the server is away, and asks again when told to', async () => {
    await open();
    await act(async () => {
      server.last.fail(new TypeError('no network'));
      await settled();
    });
    expect(isThere('away')).toBe(true);
    click(hook('ask-again'));
    await answer();
    expect(isThere('away')).toBe(false);
    expect(square('e2').dataset['piece']).toBe('wP');
  });

  it('goes on after a reload where it was left', async () => {
    await open('?variant=classic&moves=e2e4');
    await answer();
    closePage();
    await open('?variant=classic&moves=e2e4');
    expect(moves()).toBe('Start1.e2-e4');
    expect(square('e4').dataset['piece']).toBe('wP');
  });

  it('gives position, link and line to take along', async () => {
    await open('?variant=classic&moves=e2e4');
    await answer();
    expect(hook<HTMLInputElement>('fen').value).toBe('fen after 1');
    expect(hook<HTMLInputElement>('share').value).toMatch(/\/analysis\?variant=classic&moves=e2e4$/);
    click(hook('show-line'));
    await act(settled);
    expect(hook<HTMLTextAreaElement>('notation').value).toBe('e2-e4');
  });
});
