import type { Square } from '../../protocol/generated.ts';
import type { PlayableMoves } from '../../store/moves.ts';

/**
 * Result of pressing a square: another piece in hand, none, or a move from one square to another.
 */
export type Press =
  | { readonly kind: 'pick'; readonly square: Square }
  | { readonly kind: 'drop' }
  | {
      readonly kind: 'go';
      readonly from: Square;
      readonly to: Square;
      /** The piece in hand afterwards. */
      readonly next: Square | null;
    };

/**
 * Pressing a square by click, tap or Enter. A piece that may be moved is picked; then its targets may be pressed, another
 * piece picked instead, and everything else puts it back. Where a move in advance may take back on another own piece's
 * square, pressing that piece means both: the move is held and the piece picked, so that either goes on with no press more.
 */
export function press(picked: Square | null, square: Square, playable: PlayableMoves): Press {
  const mayPick = picked !== square && playable.canMove(square);
  if (picked !== null && playable.canGo(picked, square)) {
    return { kind: 'go', from: picked, to: square, next: mayPick ? square : null };
  }
  return mayPick ? { kind: 'pick', square } : { kind: 'drop' };
}
