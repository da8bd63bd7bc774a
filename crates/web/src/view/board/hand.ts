import type { Square } from '../../protocol/generated.ts';
import type { Playable } from '../../store/moves.ts';

/** What pressing a square comes to: another piece in hand, none, or going from one square to another. */
export type Press =
  | { readonly kind: 'pick'; readonly square: Square }
  | { readonly kind: 'drop' }
  | { readonly kind: 'go'; readonly from: Square; readonly to: Square };

/**
 * Pressing a square by click, tap or Enter. A piece that may be moved is picked; then its targets may be pressed, another
 * piece picked instead, and everything else puts it back.
 */
export function press(picked: Square | null, square: Square, playable: Playable): Press {
  if (picked !== square && playable.canMove(square)) return { kind: 'pick', square };
  if (picked !== null && playable.canGo(picked, square)) return { kind: 'go', from: picked, to: square };
  return { kind: 'drop' };
}
