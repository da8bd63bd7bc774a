import type { Color, Entry, Move, Piece, Square } from '../protocol/generated.ts';
import { parseMove } from './moves.ts';
import { withChanges, type Pieces } from './pieces.ts';

/** A move that was made, with facts from the board before it. */
export interface Ply {
  readonly seq: number;
  readonly color: Color;
  readonly mv: Move;
  readonly from: Square;
  readonly to: Square;
  /** The piece before the move; for a promotion, the pawn. */
  readonly piece: Piece | null;
  /** The captured piece, also for a capture en passant. */
  readonly captured: Piece | null;
  /** Set for a capture en passant. */
  readonly isEnPassant: boolean;
  /** The move as players write it. */
  readonly notation: string;
  /** The colors in check after the move. */
  readonly checks: readonly Color[];
}

/**
 * Returns the ply of an entry, or `null` if the entry is not a move. `before` is the board before
 * the entry.
 */
function plyOf(entry: Entry, before: Pieces): Ply | null {
  if (entry.event.type !== 'moved') return null;
  const { color, move: mv } = entry.event;
  const parts = parseMove(mv);
  if (parts === null) return null;
  const piece = before[parts.from] ?? null;
  const captured = capturedPiece(piece, entry, before);
  return {
    seq: entry.seq,
    color,
    mv,
    from: parts.from,
    to: parts.to,
    piece,
    captured,
    isEnPassant: captured !== null && before[parts.to] === undefined,
    notation: entry.notation ?? mv,
    checks: entry.checks ?? [],
  };
}

/** Returns the captured piece: the piece of another color on one of the changed squares. */
function capturedPiece(mover: Piece | null, entry: Entry, before: Pieces): Piece | null {
  for (const square of Object.keys(entry.squares ?? {})) {
    const occupant = before[square];
    if (occupant !== undefined && occupant.charAt(0) !== mover?.charAt(0)) return occupant;
  }
  return null;
}

/** Returns the plies after an entry. `before` is the board before the entry. */
export function pliesAfter(plies: readonly Ply[], entry: Entry, before: Pieces): readonly Ply[] {
  if (entry.event.type === 'taken_back') return plies.slice(0, -entry.event.plies);
  const ply = plyOf(entry, before);
  return ply === null ? plies : [...plies, ply];
}

/** Returns the plies of a history, without those taken back, and the board after it. */
export function replay(start: Pieces, history: readonly Entry[]): { plies: readonly Ply[]; pieces: Pieces } {
  let plies: readonly Ply[] = [];
  let pieces = start;
  for (const entry of history) {
    plies = pliesAfter(plies, entry, pieces);
    pieces = withChanges(pieces, entry.squares);
  }
  return { plies, pieces };
}
