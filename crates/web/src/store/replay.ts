import type { Color, Entry, Move, Piece, Square } from '../protocol/generated.ts';
import { partsOf } from './moves.ts';
import { withChanges, type Pieces } from './pieces.ts';

/** A move that was made, with what stood on the board when it was. */
export interface Ply {
  readonly seq: number;
  readonly color: Color;
  readonly mv: Move;
  readonly from: Square;
  readonly to: Square;
  /** The piece that moved, as it was before; a promoted pawn is a pawn here. */
  readonly piece: Piece | null;
  /** The captured piece, en passant included. */
  readonly captured: Piece | null;
  /** Set for a capture en passant. */
  readonly isInPassing: boolean;
  /** As players write it. */
  readonly text: string;
  /** The colors of the kings in check after it. */
  readonly checks: readonly Color[];
}

/** The ply an entry stands for, if it is a move; `before` is the board it was made on. */
function plyOf(entry: Entry, before: Pieces): Ply | null {
  if (entry.event.type !== 'moved') return null;
  const { color, move: mv } = entry.event;
  const parts = partsOf(mv);
  if (parts === null) return null;
  const piece = before[parts.from] ?? null;
  const captured = capturedBy(piece, entry, before);
  return {
    seq: entry.seq,
    color,
    mv,
    from: parts.from,
    to: parts.to,
    piece,
    captured,
    isInPassing: captured !== null && before[parts.to] === undefined,
    text: entry.notation ?? mv,
    checks: entry.checks ?? [],
  };
}

/** A changed square that held somebody else's piece lost it. */
function capturedBy(mover: Piece | null, entry: Entry, before: Pieces): Piece | null {
  for (const square of Object.keys(entry.squares ?? {})) {
    const stood = before[square];
    if (stood !== undefined && stood.charAt(0) !== mover?.charAt(0)) return stood;
  }
  return null;
}

/** The plies that stand after an entry; `before` is the board it happened on. */
export function pliesAfter(plies: readonly Ply[], entry: Entry, before: Pieces): readonly Ply[] {
  if (entry.event.type === 'taken_back') return plies.slice(0, -entry.event.plies);
  const ply = plyOf(entry, before);
  return ply === null ? plies : [...plies, ply];
}

/** The plies of a history that stand and the board after it. */
export function replay(start: Pieces, history: readonly Entry[]): { plies: readonly Ply[]; pieces: Pieces } {
  let plies: readonly Ply[] = [];
  let pieces = start;
  for (const entry of history) {
    plies = pliesAfter(plies, entry, pieces);
    pieces = withChanges(pieces, entry.squares);
  }
  return { plies, pieces };
}
