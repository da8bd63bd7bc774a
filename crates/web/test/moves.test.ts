import { describe, expect, it } from 'vitest';
import { resolveMove, LegalMoves, parseMove, parseTypedMove } from '../src/store/moves.ts';
import { pressSquare } from '../src/view/board/press-square.ts';

describe('parseMove', () => {
  it('parses moves with two-digit ranks', () => {
    expect(parseMove('h2h4')).toEqual({ from: 'h2', to: 'h4', promotion: null });
    expect(parseMove('b10a11n')).toEqual({ from: 'b10', to: 'a11', promotion: 'n' });
    expect(parseMove('n14n1')).toEqual({ from: 'n14', to: 'n1', promotion: null });
  });

  it('refuses other texts', () => {
    for (const wrong of ['', 'h2', 'h2h15', 'h0h1', 'o1a1', 'h2h4k', 'h2-h4', 'H2H4']) expect(parseMove(wrong)).toBeNull();
  });
});

describe('parseTypedMove', () => {
  it('parses moves in all usual forms', () => {
    for (const typed of ['h2h4', ' h2 h4 ', 'h2-h4', 'H2H4', 'h2xh4', 'Ph2-h4+']) {
      expect(parseTypedMove(typed), typed).toEqual({ from: 'h2', to: 'h4', promotion: null });
    }
    expect(parseTypedMove('Qh1xNn7#')).toEqual({ from: 'h1', to: 'n7', promotion: null });
    expect(parseTypedMove('Bb1-c2')).toEqual({ from: 'b1', to: 'c2', promotion: null });
    expect(parseTypedMove('b10xa11=N')).toEqual({ from: 'b10', to: 'a11', promotion: 'n' });
    expect(parseTypedMove('e7e8Q')).toEqual({ from: 'e7', to: 'e8', promotion: 'q' });
  });

  it('does not guess', () => {
    for (const wrong of ['', 'Nf3', 'h2', 'zz9', 'h2h4=K', 'h2--h4', 'O-O']) expect(parseTypedMove(wrong), wrong).toBeNull();
  });
});

describe('LegalMoves', () => {
  const legal = new LegalMoves(['h2h3', 'h2h4', 'g1e1', 'b10a11q', 'b10a11n', 'b10a10q']);

  it('lists the targets of a piece and nothing for others', () => {
    expect([legal.canGo('h2', 'h3'), legal.canGo('h2', 'h4'), legal.canGo('h2', 'h5')]).toEqual([true, true, false]);
    expect(legal.canGo('b10', 'a11')).toBe(true);
    expect(legal.canGo('a1', 'h3')).toBe(false);
    expect(legal.canMove('g1')).toBe(true);
    expect(legal.canMove('h3')).toBe(false);
  });

  it('offers exactly the promotions that are listed, the queen first', () => {
    expect(resolveMove(legal, { from: 'b10', to: 'a11', promotion: null })).toEqual({
      kind: 'promotion',
      from: 'b10',
      to: 'a11',
      choices: ['q', 'n'],
    });
    expect(resolveMove(legal, { from: 'b10', to: 'a10', promotion: null })).toMatchObject({ choices: ['q'] });
  });

  it('plays a typed promotion and refuses one that is not legal', () => {
    expect(resolveMove(legal, { from: 'b10', to: 'a11', promotion: 'n' })).toEqual({ kind: 'move', mv: 'b10a11n' });
    expect(resolveMove(legal, { from: 'b10', to: 'a11', promotion: 'r' })).toEqual({ kind: 'none' });
    expect(resolveMove(legal, { from: 'h2', to: 'h4', promotion: 'q' })).toEqual({ kind: 'none' });
  });

  it('plays a plain move and refuses illegal ones', () => {
    expect(resolveMove(legal, { from: 'h2', to: 'h4', promotion: null })).toEqual({ kind: 'move', mv: 'h2h4' });
    expect(resolveMove(legal, { from: 'h2', to: 'h5', promotion: null })).toEqual({ kind: 'none' });
  });
});

describe('pressSquare', () => {
  const legal = new LegalMoves(['h2h4', 'g1g2']);

  it('picks a movable piece, moves it to a target, and drops it otherwise', () => {
    expect(pressSquare(null, 'h2', legal)).toEqual({ kind: 'pick', square: 'h2' });
    expect(pressSquare(null, 'a1', legal)).toEqual({ kind: 'drop' });
    expect(pressSquare('h2', 'h4', legal)).toEqual({ kind: 'go', from: 'h2', to: 'h4', next: null });
    expect(pressSquare('h2', 'g1', legal)).toEqual({ kind: 'pick', square: 'g1' });
    expect(pressSquare('h2', 'h2', legal)).toEqual({ kind: 'drop' });
    expect(pressSquare('h2', 'h5', legal)).toEqual({ kind: 'drop' });
  });
});
