import type { Color, MatchId, Square } from '../protocol/generated.ts';
import { resolveMove, LegalMoves, type MoveParts, type PlayableMoves } from './moves.ts';
import { colorLetter, type Pieces } from './pieces.ts';
import { isActive, type TableState } from './table.ts';

/**
 * A move chosen before the player's turn. The client keeps it and sends it on that turn if it is
 * legal.
 */
export interface Premove extends MoveParts {
  readonly color: Color;
  readonly match: MatchId;
  /** The number of the last event when the premove was made. */
  readonly after_seq: number;
}

/** The result of checking a premove against the state of the table. */
export type PremoveFate =
  /** The turn of the premove has not come yet. */
  | { readonly kind: 'wait' }
  /** It is legal and can be sent. */
  | { readonly kind: 'play'; readonly mv: string }
  /** It is legal, but the promotion is not chosen yet. */
  | { readonly kind: 'choose' }
  /** Its turn has come, but it is not legal. */
  | { readonly kind: 'dropped' }
  /**
   * It can no longer be played, because its color has made another move, is eliminated, or belongs
   * to another player now, or because the match is over.
   */
  | { readonly kind: 'gone' };

/**
 * Returns the color that may make a premove now: the color of the seat that the viewer acts for, if
 * that seat is not eliminated and another player is to move.
 */
export function premoveColor({ viewerSeat, state }: TableState): Color | null {
  if (viewerSeat === null || state.phase !== 'running' || state.turn === undefined || state.turn === viewerSeat) return null;
  return state.active_players.includes(viewerSeat) ? viewerSeat : null;
}

/**
 * Checks a premove against the state of a table. Moves of other players cannot cancel it before its
 * turn, not even a capture of its piece.
 */
export function premoveFate(premove: Premove, table: TableState): PremoveFate {
  const { color } = premove;
  if (table.match !== premove.match || table.state.phase !== 'running') return { kind: 'gone' };
  if (!table.ownSeats.includes(color) || !isActive(table, color)) return { kind: 'gone' };
  if (table.plies.some((ply) => ply.color === color && ply.seq > premove.after_seq)) return { kind: 'gone' };
  if (table.state.turn !== color || table.state.suspension !== undefined || table.legalMoves.length === 0) return { kind: 'wait' };
  const resolved = resolveMove(new LegalMoves(table.legalMoves), premove);
  switch (resolved.kind) {
    case 'move':
      // A move that draws the match for all players needs a confirmation first.
      return table.hints.stalemating?.includes(resolved.mv) === true ? { kind: 'choose' } : { kind: 'play', mv: resolved.mv };
    case 'promotion':
      return { kind: 'choose' };
    case 'none':
      return { kind: 'dropped' };
  }
}

/**
 * The possible premoves: any own piece to any other square, since the legal moves are not known in
 * advance.
 */
export class PremoveOptions implements PlayableMoves {
  readonly areLegal = false;
  readonly #pieces: Pieces;
  readonly #letter: string;

  constructor(pieces: Pieces, color: Color) {
    this.#pieces = pieces;
    this.#letter = colorLetter(color);
  }

  canMove(from: Square): boolean {
    return this.#pieces[from]?.charAt(0) === this.#letter;
  }

  canGo(from: Square, to: Square): boolean {
    return from !== to && this.canMove(from);
  }
}
