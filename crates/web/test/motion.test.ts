import { describe, expect, it } from 'vitest';
import { pieceMovements } from '../src/view/board/motion.ts';
import { clockText } from '../src/view/table/clock.tsx';

describe('pieceMovements', () => {
  it('finds a move, a capture and both pieces of castling', () => {
    expect(pieceMovements({ h2: 'rP' }, { h4: 'rP' })).toEqual([{ from: 'h2', to: 'h4' }]);
    expect(pieceMovements({ h1: 'rQ', n7: 'gK' }, { n7: 'rQ' })).toEqual([{ from: 'h1', to: 'n7' }]);
    expect(pieceMovements({ g1: 'rK', d1: 'rR' }, { e1: 'rK', f1: 'rR' })).toEqual([
      { from: 'g1', to: 'e1' },
      { from: 'd1', to: 'f1' },
    ]);
  });

  it('finds none when an army vanishes, a pawn is promoted or nothing changes', () => {
    expect(pieceMovements({ h2: 'rP', a7: 'bQ' }, { h2: 'rP' })).toEqual([]);
    expect(pieceMovements({ e13: 'rP' }, { e14: 'rQ' })).toEqual([]);
    expect(pieceMovements({ h2: 'rP' }, { h2: 'rP' })).toEqual([]);
  });
});

describe('clockText', () => {
  it('shows hours, minutes, and tenths when time is short', () => {
    expect(clockText(2 * 86_400_000 + 4 * 3_600_000 + 10 * 60_000)).toBe('2d 4h');
    expect(clockText(3_723_000)).toBe('1:02:03');
    expect(clockText(271_000)).toBe('4:31');
    expect(clockText(60_000)).toBe('1:00');
    expect(clockText(20_000)).toBe('0:20');
    expect(clockText(9_449)).toBe('0:09.4');
    expect(clockText(0)).toBe('0:00.0');
  });
});
