import { act } from 'preact/test-utils';
import { afterEach, expect, it } from 'vitest';
import { ScriptedMatch } from './support/match.ts';
import { closePage, key, one, openTable, square } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

const cells = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.cell')];

afterEach(closePage);

it('a move is work on its own squares alone', async () => {
  const match = new ScriptedMatch('dilkel', FOUR).begin('red');
  const socket = openTable(match, null);
  for (const mv of ['h2h4', 'b8d8', 'g13g11', 'm7k7']) act(() => socket.say(match.move(mv)));
  const touched = new Set<string>();
  const observer = new MutationObserver((records) => {
    for (const { target } of records) touched.add((target as Element).closest<HTMLElement>('.cell')?.dataset['square'] ?? 'none');
  });
  for (const cell of cells()) observer.observe(cell, { subtree: true, attributes: true, childList: true });
  act(() => socket.say(match.move('g2g3')));
  await Promise.resolve();
  observer.disconnect();
  // What moves, and Red's last move, which is marked no more.
  expect([...touched].toSorted()).toEqual(['g2', 'g3', 'h2', 'h4']);
});

it('a board that is turned is made of the same elements, and the focus stays with its square', () => {
  openTable(new ScriptedMatch('dilkel', FOUR).begin('red'), 'red', ['e1f3']);
  const before = cells();
  act(() => one('[data-square][tabindex="0"]').focus());
  key('ArrowRight');
  expect(document.activeElement).toBe(square('e1'));
  key('f');
  expect(before[0]?.dataset['square']).not.toBe('d14');
  expect(cells().every((cell, index) => cell === before[index])).toBe(true);
  expect(document.activeElement).toBe(square('e1'));
  expect(square('e1').tabIndex).toBe(0);
});
