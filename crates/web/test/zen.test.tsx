import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedMatch } from './support/match.ts';
import { byTestId, click, closePage, exists, pressKey, pressSquare, renderTableAfterSnapshot } from './support/page.tsx';

afterEach(() => {
  closePage();
  localStorage.clear();
});

function startMatch(): ScriptedMatch {
  return new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Ben', yellow: 'Cy', green: 'Di' }).startMatch('red');
}

const isOn = (): boolean => document.documentElement.hasAttribute('data-zen');
const stored = (): unknown => (JSON.parse(localStorage.getItem('quadrex.preferences') ?? '{}') as { zen?: boolean }).zen;

describe('the zen mode', () => {
  it('starts with a button or a key, ends with Escape, the key or its button, and survives a reload', () => {
    renderTableAfterSnapshot(startMatch(), 'red', []);
    expect([isOn(), exists('zen-leave')]).toEqual([false, false]);
    byTestId('look-zen').focus();
    click(byTestId('look-zen'));
    expect([isOn(), stored()]).toEqual([true, true]);
    // The button with the focus is hidden now.
    expect(document.activeElement).toBe(byTestId('zen-leave'));
    expect(exists('announcer')).toBe(true);
    pressKey('Escape');
    expect([isOn(), stored(), exists('zen-leave')]).toEqual([false, false, false]);
    expect(document.activeElement).toBe(byTestId('look-zen'));
    pressKey('z');
    expect(isOn()).toBe(true);
    pressKey('z');
    expect(isOn()).toBe(false);
    pressKey('z');
    click(byTestId('zen-leave'));
    expect(isOn()).toBe(false);
    pressKey('z');
    closePage();
    expect(isOn()).toBe(false);
    renderTableAfterSnapshot(startMatch(), 'red', []);
    expect(isOn()).toBe(true);
  });

  it('continues when Escape drops a piece', () => {
    const match = startMatch();
    renderTableAfterSnapshot(match, 'red', ['h2h3', 'h2h4']);
    pressKey('z');
    pressSquare('h2');
    expect(document.querySelector('.cell[data-picked]')).not.toBeNull();
    pressKey('Escape');
    expect([document.querySelector('.cell[data-picked]'), isOn()]).toEqual([null, true]);
    pressKey('Escape');
    expect(isOn()).toBe(false);
  });

  it('is only available during a match', () => {
    localStorage.setItem('quadrex.preferences', JSON.stringify({ version: 1, zen: true }));
    const match = startMatch();
    match.step({ event: { type: 'eliminated', color: 'red', cause: 'resign' }, state: { active_players: ['blue', 'yellow', 'green'], eliminated: [{ color: 'red', cause: 'resign' }] } });
    renderTableAfterSnapshot(match, 'red', []);
    expect([isOn(), exists('zen-leave')]).toEqual([false, false]);
    expect(byTestId<HTMLButtonElement>('look-zen').disabled).toBe(true);
  });
});
