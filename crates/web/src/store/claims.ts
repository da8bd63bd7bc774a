import { parseMove } from './moves.ts';
import { withChanges, type Pieces } from './pieces.ts';
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
  const positionCounts = new Map<string, number>();
  let pieces = table.start;
  let quietMoves = 0;
  let hasRepeated = false;
  for (const { event, squares } of table.history) {
    const before = pieces;
    pieces = withChanges(pieces, squares);
    if (event.type === 'taken_back' || event.type === 'eliminated') positionCounts.clear();
    if (event.type !== 'moved') continue;
    quietMoves += 1;
    if (!isQuietMove(before, pieces, event.move)) {
      positionCounts.clear();
      quietMoves = 0;
      hasRepeated = false;
    }
    const key = positionKey(pieces);
    const count = (positionCounts.get(key) ?? 0) + 1;
    positionCounts.set(key, count);
    hasRepeated ||= count === 2;
  }
  return hasRepeated || quietMoves >= (MOVE_LIMIT - 1) * state.active_players.length;
}

function isQuietMove(before: Pieces, after: Pieces, mv: string): boolean {
  const from = parseMove(mv)?.from ?? '';
  return before[from]?.charAt(1) !== 'P' && Object.keys(before).length === Object.keys(after).length;
}

function positionKey(pieces: Pieces): string {
  return Object.entries(pieces)
    .map(([square, piece]) => square + piece)
    .toSorted()
    .join();
}
