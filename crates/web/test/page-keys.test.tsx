import { afterEach, describe, expect, test } from 'vitest';
import { ScriptedMatch } from './support/match.ts';
import { closePage, hook, isThere, key, openTable } from './support/page.tsx';

afterEach(() => {
  closePage();
  localStorage.clear();
});

function open(): void {
  const match = new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Ben', yellow: 'Cy', green: 'Di' }).begin('red');
  match.move('h2h4');
  openTable(match, 'red', []);
}

const bottom = (): string | undefined => document.querySelector<HTMLElement>('[data-place="bottom"][data-color]')?.dataset['color'];

describe('keys anywhere on the page', () => {
  test('look back, turn the board, lead to the field and to the board, and show the help', () => {
    open();
    key('ArrowLeft');
    expect(hook('looking').dataset['ply']).toBe('0');
    key('End');
    expect(isThere('looking')).toBe(false);
    key('f');
    expect(bottom()).toBe('blue');
    key('b');
    expect((document.activeElement as HTMLElement).dataset['square']).toBeDefined();
    key('ArrowLeft');
    expect(isThere('looking')).toBe(false);
    key('/');
    expect(document.activeElement).toBe(hook('move-input'));
    key('f');
    expect(bottom()).toBe('blue');
    key('Escape');
    key('?');
    expect(isThere('keys-help')).toBe(true);
  });

  test('that are letters or signs do nothing for who wants none', () => {
    localStorage.setItem('quadrex.preferences', JSON.stringify({ version: 1, shortcuts: false }));
    open();
    for (const one of ['f', '?']) key(one);
    expect([bottom(), isThere('keys-help')]).toEqual(['red', false]);
    key('ArrowLeft');
    expect(isThere('looking')).toBe(true);
  });
});
