import type { Color, MatchId, Square } from '../protocol/generated.ts';
import { attempt, LegalMoves, type MoveParts, type Playable } from './moves.ts';
import { colorLetter, type Pieces } from './pieces.ts';
import { isIn, type TableState } from './table.ts';

/** A move made in advance: it is held here and sent when its color's turn comes, if it is legal then. */
export interface Premove extends MoveParts {
  readonly color: Color;
  readonly match: MatchId;
  /** The last event when it was made. */
  readonly after: number;
}

/** The fate of a premove. */
export type Fate =
  /** Its turn has not come. */
  | { readonly kind: 'wait' }
  /** It is played. */
  | { readonly kind: 'play'; readonly mv: string }
  /** It can be played, once its player says what the pawn becomes. */
  | { readonly kind: 'choose' }
  /** Its turn has come and it is not legal. */
  | { readonly kind: 'dropped' }
  /** There is no more turn for it: its color has moved otherwise, is out or no longer one's own, or the match is over. */
  | { readonly kind: 'gone' };

/** The color that may make a premove now: one's own, still in, while others are to move. */
export function premoveColor({ you, state }: TableState): Color | null {
  if (you === null || state.phase !== 'running' || state.turn === undefined || state.turn === you) return null;
  return state.active_players.includes(you) ? you : null;
}

/**
 * Judges a premove on what is known now. Only its own turn decides: what others do before it, be it that they take
 * the piece, changes nothing until then.
 */
export function fateOf(premove: Premove, table: TableState): Fate {
  const { color } = premove;
  if (table.match !== premove.match || table.state.phase !== 'running') return { kind: 'gone' };
  if (!table.yours.includes(color) || !isIn(table, color)) return { kind: 'gone' };
  if (table.plies.some((ply) => ply.color === color && ply.seq > premove.after)) return { kind: 'gone' };
  if (table.state.turn !== color || table.state.suspension !== undefined || table.legal.length === 0) return { kind: 'wait' };
  const found = attempt(new LegalMoves(table.legal), premove);
  switch (found.kind) {
    case 'move':
      return { kind: 'play', mv: found.mv };
    case 'promotion':
      return { kind: 'choose' };
    case 'none':
      return { kind: 'dropped' };
  }
}

/** The possible premoves: any own piece to any other square, since the legal moves are not known yet. */
export class PremoveOptions implements Playable {
  readonly certain = false;
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
