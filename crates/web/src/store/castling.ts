import type { Square } from '../protocol/generated.ts';
import type { MoveParts, Playable } from './moves.ts';
import type { Pieces } from './pieces.ts';

/** Castling as people type it: `O-O`, `O-O-O`, also with small letters or zeros. */
const TYPED = /^([Oo0])-\1(-\1)?[+#]*$/;

/** The distance from the king to the rook, in squares: two squares are between them in short castling, three in long (RULES G8, D7). */
const ROOK_AT = { short: 3, long: 4 } as const;

const WAYS: readonly (readonly [number, number])[] = [[1, 0], [-1, 0], [0, 1], [0, -1]];

/**
 * Reads castling as it is typed: the king's two steps towards that rook, wherever on the board its player sits.
 * `null` if something else was typed, or if there is no such move.
 */
export function readCastling(typed: string, king: Square | null, pieces: Pieces, playable: Playable): MoveParts | null {
  const found = TYPED.exec(typed.trim());
  if (found === null || king === null) return null;
  const away = ROOK_AT[found[2] === undefined ? 'short' : 'long'];
  const rook = `${pieces[king]?.charAt(0)}R`;
  for (const way of WAYS) {
    const to = from(king, way, 2);
    if (pieces[from(king, way, away)] === rook && playable.canGo(king, to)) return { from: king, to, promotion: null };
  }
  return null;
}

/** Returns whether a typed text is castling, legal or not. */
export function isCastling(typed: string): boolean {
  return TYPED.test(typed.trim());
}

function from(square: Square, [across, up]: readonly [number, number], steps: number): Square {
  const file = String.fromCodePoint((square.codePointAt(0) ?? 0) + across * steps);
  return `${file}${Number(square.slice(1)) + up * steps}`;
}
