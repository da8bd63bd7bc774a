import { describe, expect, test } from 'vitest';
import { brushOf, toggleDrawing } from '../src/view/board/drawings.ts';
import { removedArmies } from '../src/view/board/motion.ts';

describe('drawings', () => {
  test('modifier keys choose the color', () => {
    const none = { shiftKey: false, altKey: false, ctrlKey: false };
    expect(brushOf(none)).toBe('green');
    expect(brushOf({ ...none, shiftKey: true })).toBe('red');
    expect(brushOf({ ...none, altKey: true })).toBe('blue');
    expect(brushOf({ ...none, ctrlKey: true })).toBe('blue');
    expect(brushOf({ ...none, shiftKey: true, altKey: true })).toBe('yellow');
  });

  test('the same drawing again removes it; another color replaces it', () => {
    const arrow = { from: 'a4', to: 'd4', brush: 'green' } as const;
    const ring = { from: 'a4', to: 'a4', brush: 'green' } as const;
    const both = toggleDrawing(toggleDrawing([], arrow), ring);
    expect(both).toEqual([arrow, ring]);
    expect(toggleDrawing(both, arrow)).toEqual([ring]);
    expect(toggleDrawing(both, { ...arrow, brush: 'red' })).toEqual([ring, { ...arrow, brush: 'red' }]);
  });
});

describe('removed armies', () => {
  const before = { a4: 'bR', a8: 'bK', g1: 'rK', n7: 'gK' };

  test('all squares of a removed color are returned', () => {
    expect(removedArmies(before, { g1: 'rK', n7: 'gK' })).toEqual(['a4', 'a8']);
  });

  test('a capture removes no army, and neither does another board', () => {
    expect(removedArmies(before, { a8: 'bK', g1: 'rK', n7: 'gK' })).toEqual([]);
    expect(removedArmies(before, {})).toEqual([]);
  });
});
