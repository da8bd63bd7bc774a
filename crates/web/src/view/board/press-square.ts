import type { Square } from '../../protocol/generated.ts';
import type { PlayableMoves } from '../../store/moves.ts';

/** The result of pressing a square: a picked piece, none, or a move. */
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
 * Returns the result of pressing a square by click, tap or Enter. A movable piece is picked; then
 * one of its targets makes the move, another movable piece is picked instead, and any other square
 * drops it. A premove may target an own piece, as a recapture. Pressing that piece both sets the
 * premove and picks the piece, so that either can continue.
 */
export function pressSquare(picked: Square | null, square: Square, playable: PlayableMoves): PressResult {
  const mayPick = picked !== square && playable.canMove(square);
  if (picked !== null && playable.canGo(picked, square)) {
    return { kind: 'go', from: picked, to: square, next: mayPick ? square : null };
  }
  return mayPick ? { kind: 'pick', square } : { kind: 'drop' };
}
