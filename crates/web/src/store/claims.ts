import { partsOf } from './moves.ts';
import { withChanges, type Pieces } from './pieces.ts';
import type { TableState } from './table.ts';

/** After so many moves each without a capture or a pawn's move a draw may be claimed (RULES G11). */
const QUIET_MOVES = 50;

/**
 * Returns whether the next move may be one that a draw can be claimed with: some arrangement of the pieces has been on the
 * board twice, or nearly fifty moves each were quiet. A guess, for the server alone counts; it is there to offer the
 * claim when it could matter, and not before.
 */
export function mayClaimWithMove(table: TableState): boolean {
  const { state, settings, you } = table;
  if (settings.draws !== 'claim' || state.phase !== 'running' || you === null || state.turn !== you) return false;
  const seen = new Map<string, number>();
  let pieces = table.start;
  let quiet = 0;
  let twice = false;
  for (const { event, squares } of table.history) {
    const before = pieces;
    pieces = withChanges(pieces, squares);
    if (event.type === 'taken_back' || event.type === 'eliminated') seen.clear();
    if (event.type !== 'moved') continue;
    quiet += 1;
    if (!isQuiet(before, pieces, event.move)) {
      seen.clear();
      quiet = 0;
      twice = false;
    }
    const key = keyOf(pieces);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    twice ||= times === 2;
  }
  return twice || quiet >= (QUIET_MOVES - 1) * state.active_players.length;
}

function isQuiet(before: Pieces, after: Pieces, mv: string): boolean {
  const from = partsOf(mv)?.from ?? '';
  return before[from]?.charAt(1) !== 'P' && Object.keys(before).length === Object.keys(after).length;
}

function keyOf(pieces: Pieces): string {
  return Object.entries(pieces)
    .map(([square, piece]) => square + piece)
    .toSorted()
    .join();
}
