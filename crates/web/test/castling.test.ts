import { describe, expect, it } from 'vitest';
import { isCastlingNotation, parseCastling } from '../src/store/castling.ts';
import { LegalMoves } from '../src/store/moves.ts';

describe('typed castling', () => {
  const classic = { e1: 'wK', a1: 'wR', h1: 'wR', e8: 'bK', h8: 'bR' };
  const legal = new LegalMoves(['e1g1', 'e1c1', 'e1f1']);

  it('is the king’s move of two squares towards the near or the far rook', () => {
    for (const typed of ['O-O', 'o-o', '0-0', ' O-O+ ']) {
      expect(parseCastling(typed, 'e1', classic, legal), typed).toEqual({ from: 'e1', to: 'g1', promotion: null });
    }
    for (const typed of ['O-O-O', 'o-o-o', '0-0-0#']) {
      expect(parseCastling(typed, 'e1', classic, legal), typed).toEqual({ from: 'e1', to: 'c1', promotion: null });
    }
  });

  it('follows the ranks for a side player, to the left if the near rook is there', () => {
    const cross = { g1: 'rK', d1: 'rR', k1: 'rR', a8: 'bK', a11: 'bR', a4: 'bR' };
    const moves = new LegalMoves(['g1e1', 'g1i1', 'a8a10', 'a8a6']);
    expect(parseCastling('O-O', 'g1', cross, moves)?.to).toBe('e1');
    expect(parseCastling('O-O-O', 'g1', cross, moves)?.to).toBe('i1');
    expect(parseCastling('O-O', 'a8', cross, moves)?.to).toBe('a10');
    expect(parseCastling('O-O-O', 'a8', cross, moves)?.to).toBe('a6');
  });

  it('is `null` without such a legal move, without an own rook, or for another text', () => {
    expect(parseCastling('O-O', 'e1', classic, new LegalMoves(['e1f1']))).toBeNull();
    expect(parseCastling('O-O', 'e1', { ...classic, h1: 'bR' }, legal)).toBeNull();
    expect(parseCastling('O-O', null, classic, legal)).toBeNull();
    for (const other of ['', 'O', 'O-0', 'OO', 'O-O-O-O', 'h2h4']) {
      expect(parseCastling(other, 'e1', classic, legal), other).toBeNull();
      expect(isCastlingNotation(other), other).toBe(false);
    }
    expect(isCastlingNotation('0-0-0')).toBe(true);
  });
});
