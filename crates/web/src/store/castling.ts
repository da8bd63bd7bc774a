import type { Square } from '../protocol/generated.ts';
import type { MoveParts, PlayableMoves } from './moves.ts';
import type { Pieces } from './pieces.ts';

/** Castling as people type it: `O-O` or `O-O-O`, also with lower-case letters or zeros. */
const CASTLING_NOTATION = /^([Oo0])-\1(-\1)?[+#]*$/;

/**
 * The distance from the king to the rook, in squares. Two squares are between them in short
 * castling and three in long castling (RULES G8, D7).
 */
const ROOK_DISTANCE = { short: 3, long: 4 } as const;

const DIRECTIONS: readonly (readonly [number, number])[] = [[1, 0], [-1, 0], [0, 1], [0, -1]];

/**
 * Returns the king's move of a typed castling: two squares towards the rook, whatever side of the
 * board the player sits at. Returns `null` for any other text and if there is no such move.
 */
export function parseCastling(typed: string, king: Square | null, pieces: Pieces, playable: PlayableMoves): MoveParts | null {
  const match = CASTLING_NOTATION.exec(typed.trim());
  if (match === null || king === null) return null;
  const rookDistance = ROOK_DISTANCE[match[2] === undefined ? 'short' : 'long'];
  const rook = `${pieces[king]?.charAt(0)}R`;
  for (const direction of DIRECTIONS) {
    const to = squareFrom(king, direction, 2);
    if (pieces[squareFrom(king, direction, rookDistance)] === rook && playable.canGo(king, to)) return { from: king, to, promotion: null };
  }
  return null;
}

/** Returns whether a typed text means castling, legal or not. */
export function isCastlingNotation(typed: string): boolean {
  return CASTLING_NOTATION.test(typed.trim());
}

function squareFrom(square: Square, [across, up]: readonly [number, number], steps: number): Square {
  const file = String.fromCodePoint((square.codePointAt(0) ?? 0) + across * steps);
  return `${file}${Number(square.slice(1)) + up * steps}`;
}
