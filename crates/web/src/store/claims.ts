import type { Piece, Square } from '../protocol/generated.ts';
import { parseMove } from './moves.ts';
import type { TableState } from './table.ts';

/**
 * The number of moves by each player, without a capture or a pawn move, after which a draw may be
 * claimed (RULES G11).
 */
const MOVE_LIMIT = 50;

/**
 * Returns whether a draw claim together with the next move may be valid: a position has occurred
 * twice, or each player has made nearly fifty moves without a capture or a pawn move. The result
 * only determines whether the claim is offered; the server decides whether it is valid.
 */
export function mayClaimDrawWithMove(table: TableState): boolean {
  const { state, settings, viewerSeat } = table;
  if (settings.draws !== 'claim' || state.phase !== 'running' || viewerSeat === null || state.turn !== viewerSeat) return false;
  const pieces = new Map(Object.entries(table.start));
  // `moved` contains the differences from the position at the start of a sequence of quiet moves.
  // Two positions of the sequence are equal if these differences are equal.
  const moved = new Set<string>();
  const positionCounts = new Map<string, number>();
  let quietMoves = 0;
  let hasRepeated = false;
  for (const { event, squares = {} } of table.history) {
    const isQuiet = event.type === 'moved' && isQuietMove(pieces, event.move);
    const count = pieces.size;
    for (const [square, piece] of Object.entries(squares)) {
      toggle(moved, square, pieces.get(square));
      toggle(moved, square, piece);
      if (piece === null) pieces.delete(square);
      else pieces.set(square, piece);
    }
    const isIrreversible = event.type === 'moved' && !(isQuiet && pieces.size === count);
    if (isIrreversible || event.type === 'taken_back' || event.type === 'eliminated') {
      positionCounts.clear();
      moved.clear();
    }
    if (isIrreversible) {
      quietMoves = 0;
      hasRepeated = false;
    }
    if (event.type !== 'moved') continue;
    quietMoves += isIrreversible ? 0 : 1;
    const key = [...moved].toSorted().join();
    const occurred = (positionCounts.get(key) ?? 0) + 1;
    positionCounts.set(key, occurred);
    hasRepeated ||= occurred === 2;
  }
  return hasRepeated || quietMoves >= (MOVE_LIMIT - 1) * state.active_players.length;
}

/** Adds a piece on a square to a set, or removes it if it is there. */
function toggle(moved: Set<string>, square: Square, piece: Piece | null | undefined): void {
  if (piece === null || piece === undefined) return;
  const key = square + piece;
  if (!moved.delete(key)) moved.add(key);
}

/** Returns whether a piece other than a pawn moves. The move may be a capture. */
function isQuietMove(pieces: ReadonlyMap<Square, Piece>, mv: string): boolean {
  return pieces.get(parseMove(mv)?.from ?? '')?.charAt(1) !== 'P';
}
