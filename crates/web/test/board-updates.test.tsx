import { act } from 'preact/test-utils';
import { afterEach, expect, it } from 'vitest';
import { ScriptedMatch } from './support/match.ts';
import { closePage, pressKey, findElement, renderTableAfterSnapshot, square } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

const cells = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.cell')];

afterEach(closePage);

it('a move changes only its own squares', async () => {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  const socket = renderTableAfterSnapshot(match, null);
  for (const mv of ['h2h4', 'b8d8', 'g13g11', 'm7k7']) act(() => socket.receive(match.move(mv)));
  const touched = new Set<string>();
  const observer = new MutationObserver((records) => {
    for (const { target } of records) touched.add((target as Element).closest<HTMLElement>('.cell')?.dataset['square'] ?? 'none');
  });
  for (const cell of cells()) observer.observe(cell, { subtree: true, attributes: true, childList: true });
  act(() => socket.receive(match.move('g2g3')));
  await Promise.resolve();
  observer.disconnect();
  // The moved piece, and the old marks of Red's last move.
  expect([...touched].toSorted()).toEqual(['g2', 'g3', 'h2', 'h4']);
});

it('a turned board reuses its elements and keeps the focus on its square', () => {
  renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('red'), 'red', ['e1f3']);
  const before = cells();
  act(() => findElement('[data-square][tabindex="0"]').focus());
  pressKey('ArrowRight');
  expect(document.activeElement).toBe(square('e1'));
  pressKey('f');
  expect(before[0]?.dataset['square']).not.toBe('d14');
  expect(cells().every((cell, index) => cell === before[index])).toBe(true);
  expect(document.activeElement).toBe(square('e1'));
  expect(square('e1').tabIndex).toBe(0);
});
