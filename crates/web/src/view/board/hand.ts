import type { Square } from '../../protocol/generated.ts';
import type { LegalMoves } from '../../store/moves.ts';

/** What pressing a square comes to: another piece in hand, none, or going from one square to another. */
export type Press =
  | { readonly kind: 'pick'; readonly square: Square }
  | { readonly kind: 'drop' }
  | { readonly kind: 'go'; readonly from: Square; readonly to: Square };

/**
 * Pressing a square by click, tap or Enter. A piece may be picked if the server lists a move for it; then its targets
 * may be pressed, another piece picked instead, and everything else puts it back.
 */
export function press(picked: Square | null, square: Square, legal: LegalMoves): Press {
  if (picked !== null && legal.targets(picked).has(square)) return { kind: 'go', from: picked, to: square };
  if (picked !== square && legal.canMove(square)) return { kind: 'pick', square };
  return { kind: 'drop' };
}
