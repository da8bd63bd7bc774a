import type { Square } from '../protocol/generated.ts';
import { parseMove } from './moves.ts';
import { colorLetter } from './pieces.ts';
import type { TableState } from './table.ts';

/** The reason why a piece of the player to move has no legal move. */
export type StuckReason = 'pinned' | 'check' | 'blocked';

/**
 * Returns the reason why the viewer's piece on a square has no legal move, from the facts that the
 * server sends about the turn. Returns `null` if the piece has a legal move, if the viewer has no
 * piece there, or if it is not the viewer's turn.
 */
export function stuckReason({ viewerSeat, state, pieces, legalMoves: legal, hints }: TableState, square: Square): StuckReason | null {
  if (viewerSeat === null || state.phase !== 'running' || state.turn !== viewerSeat || state.suspension !== undefined) return null;
  if (pieces[square]?.charAt(0) !== colorLetter(viewerSeat)) return null;
  // If there are no legal moves at all, the viewer cannot move now: the server is about to decide a
  // mate, or a bot moves in the viewer's place.
  if (legal.length === 0 || legal.some((mv) => parseMove(mv)?.from === square)) return null;
  if (hints.pinned?.includes(square) === true) return 'pinned';
  return state.checks.includes(viewerSeat) ? 'check' : 'blocked';
}
