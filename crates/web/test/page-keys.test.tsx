import { afterEach, describe, expect, test } from 'vitest';
import { ScriptedMatch } from './support/match.ts';
import { closePage, byTestId, exists, pressKey, renderTableAfterSnapshot } from './support/page.tsx';

afterEach(() => {
  closePage();
  localStorage.clear();
});

function open(): void {
  const match = new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Ben', yellow: 'Cy', green: 'Di' }).startMatch('red');
  match.move('h2h4');
  renderTableAfterSnapshot(match, 'red', []);
}

const bottom = (): string | undefined => document.querySelector<HTMLElement>('[data-place="bottom"][data-color]')?.dataset['color'];

describe('keyboard shortcuts', () => {
  test('replay, turn the board, focus the field or the board, and show the help', () => {
    open();
    pressKey('ArrowLeft');
    expect(byTestId('looking').dataset['ply']).toBe('0');
    pressKey('End');
    expect(exists('looking')).toBe(false);
    pressKey('f');
    expect(bottom()).toBe('blue');
    pressKey('b');
    expect((document.activeElement as HTMLElement).dataset['square']).toBeDefined();
    pressKey('ArrowLeft');
    expect(exists('looking')).toBe(false);
    pressKey('/');
    expect(document.activeElement).toBe(byTestId('move-input'));
    pressKey('f');
    expect(bottom()).toBe('blue');
    pressKey('Escape');
    pressKey('?');
    expect(exists('keys-help')).toBe(true);
  });

  test('of single characters can be disabled', () => {
    localStorage.setItem('quadrex.preferences', JSON.stringify({ version: 1, shortcuts: false }));
    open();
    for (const one of ['f', '?']) pressKey(one);
    expect([bottom(), exists('keys-help')]).toEqual(['red', false]);
    pressKey('ArrowLeft');
    expect(exists('looking')).toBe(true);
  });
});
