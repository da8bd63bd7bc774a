import { options, type VNode } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, it } from 'vitest';
import { ScriptedMatch } from './support/match.ts';
import { closePage, pressKey, pressSquare, findElement, renderTableAfterSnapshot, square } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

const cells = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.cell')];

/** The option of Preact that is called before each component is rendered. */
const BEFORE_RENDER = '__r';

/** Returns the names of the components that an action renders. */
function renderedBy(action: () => void): string[] {
  const names: string[] = [];
  const hooks = options as { [BEFORE_RENDER]?: (node: VNode) => void };
  const before = hooks[BEFORE_RENDER];
  hooks[BEFORE_RENDER] = (node) => {
    before?.(node);
    if (typeof node.type === 'function') names.push(node.type.name);
  };
  action();
  if (before !== undefined) hooks[BEFORE_RENDER] = before;
  return names;
}

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

it('a move renders the squares and the row of the list that it changes', () => {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  const socket = renderTableAfterSnapshot(match, null);
  for (const mv of ['h2h4', 'b8d8', 'g13g11', 'm7k7', 'g2g3', 'b7d7', 'h13h11', 'm8k8']) act(() => socket.receive(match.move(mv)));
  const names = renderedBy(() => act(() => socket.receive(match.move('f2f3'))));
  const count = (component: string): number => names.filter((name) => name === component).length;
  // The squares of the move, and the marked squares of Red's last move.
  expect(count('BoardCell')).toBe(4);
  // The cells of the new move and of the move before it, which is no longer the last move.
  expect(count('CellText')).toBeLessThanOrEqual(5);
  // Among them are the four plates with their names, clocks and captures.
  expect(names.length).toBeLessThan(135);
});

it('picking a piece changes only its square and its targets', async () => {
  renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('red'), 'red', ['h2h4', 'h2h3', 'g2g3']);
  const changed = new Set<Element>();
  const observer = new MutationObserver((records) => records.forEach(({ target }) => changed.add(target as Element)));
  observer.observe(findElement('.board'), { subtree: true, attributes: true, childList: true });
  const names = renderedBy(() => pressSquare('h2'));
  await Promise.resolve();
  observer.disconnect();
  const squares = new Set([...changed].map((element) => element.closest<HTMLElement>('.cell')?.dataset['square']));
  // The focus moves too. Before the press, it was on the first square of the lowest row.
  expect([...squares].toSorted()).toEqual(['d1', 'h2', 'h3', 'h4']);
  expect(names.filter((name) => name === 'BoardCell').length).toBeLessThanOrEqual(5);
});

it('a finger drags the viewer’s own pieces on every turn, so a new turn does not restyle them', () => {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  const socket = renderTableAfterSnapshot(match, 'red', ['h2h4']);
  const draggable = (): (string | undefined)[] => cells().flatMap(({ dataset }) => (dataset['draggable'] === undefined ? [] : [dataset['piece']]));
  expect(draggable().length).toBe(16);
  expect(draggable().every((piece) => piece?.startsWith('r'))).toBe(true);
  act(() => socket.receive(match.move('h2h4')));
  expect(draggable().length).toBe(16);
  act(() => socket.receive(match.move('b8d8')));
  expect(draggable().length).toBe(16);
});
