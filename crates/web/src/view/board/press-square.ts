import type { Square } from '../../protocol/generated.ts';
import type { PlayableMoves } from '../../store/moves.ts';

/** The result of pressing a square: a picked piece, no picked piece, or a move. */
export type PressResult =
  | { readonly kind: 'pick'; readonly square: Square }
  | { readonly kind: 'drop' }
  | {
      readonly kind: 'go';
      readonly from: Square;
      readonly to: Square;
      /** The picked piece after the move. */
      readonly next: Square | null;
    };

/**
 * Returns the result of pressing a square by click, tap or Enter. The first press picks a movable
 * piece. The next press makes a move if the square is a target of the piece, picks another movable
 * piece instead, or drops the picked piece on any other square. A premove may have an own piece as
 * its target, as a recapture. A press on such a piece does two things: it sets the premove and
 * picks the piece, so the user can go on with either.
 */
export function pressSquare(picked: Square | null, square: Square, playable: PlayableMoves): PressResult {
  const mayPick = picked !== square && playable.canMove(square);
  if (picked !== null && playable.canGo(picked, square)) {
    return { kind: 'go', from: picked, to: square, next: mayPick ? square : null };
  }
  return mayPick ? { kind: 'pick', square } : { kind: 'drop' };
}
