import type { Move, Square } from '../protocol/generated.ts';
import { withChanges, type Pieces, type PromotionLetter } from './pieces.ts';

/** The parts of a move. */
export interface MoveParts {
  readonly from: Square;
  readonly to: Square;
  readonly promotion: PromotionLetter | null;
}

const SQUARE = '[a-n](?:1[0-4]|[1-9])';
const WIRE_MOVE = new RegExp(`^(${SQUARE})(${SQUARE})([qrbn])?$`);
/** Moves as people type them: `h2h4`, `h2-h4`, `Qh1xNn7+`, `b10a11=N`. */
const TYPED_MOVE = new RegExp(`^[PNBRQK]?(${SQUARE})[-x]?[PNBRQK]?(${SQUARE})(?:=?([qrbnQRBN]))?[+#]*$`);

/** Parses a move in the notation of the protocol. Returns `null` for any other text. */
export function parseMove(mv: Move): MoveParts | null {
  return toMoveParts(WIRE_MOVE.exec(mv));
}

/** Parses a typed move. Returns `null` for any other text. */
export function parseTypedMove(text: string): MoveParts | null {
  const plain = text.replaceAll(/\s/g, '');
  return toMoveParts(TYPED_MOVE.exec(plain)) ?? toMoveParts(WIRE_MOVE.exec(plain.toLowerCase()));
}

function toMoveParts(found: RegExpExecArray | null): MoveParts | null {
  const [, from, to, promotion] = found ?? [];
  if (from === undefined || to === undefined) return null;
  return { from, to, promotion: (promotion?.toLowerCase() as PromotionLetter | undefined) ?? null };
}

/** Returns the pieces after a move that the server has not confirmed yet. */
export function withMoveMade(pieces: Pieces, mv: Move | null): Pieces {
  const made = mv === null ? null : parseMove(mv);
  const piece = made === null ? undefined : pieces[made.from];
  if (made === null || piece === undefined) return pieces;
  const shown = made.promotion === null ? piece : piece.charAt(0) + made.promotion.toUpperCase();
  return withChanges(pieces, { [made.from]: null, [made.to]: shown });
}

/** The pieces that may be picked up on a board, and their targets. */
export interface PlayableMoves {
  /** Set if the moves are known to be legal. Otherwise the board does not mark the targets. */
  readonly areLegal: boolean;
  /** Returns whether the piece on a square may be picked up. */
  canMove(from: Square): boolean;
  /** Returns whether the piece on one square may be put on another. */
  canGo(from: Square, to: Square): boolean;
}

/** The legal moves as sent by the server, grouped by origin and target. */
export class LegalMoves implements PlayableMoves {
  readonly areLegal = true;
  readonly #byOrigin = new Map<Square, Map<Square, Move[]>>();

  constructor(moves: readonly Move[]) {
    for (const mv of moves) {
      const parts = parseMove(mv);
      if (parts === null) continue;
      const targets = this.#byOrigin.get(parts.from) ?? new Map<Square, Move[]>();
      targets.set(parts.to, [...(targets.get(parts.to) ?? []), mv]);
      this.#byOrigin.set(parts.from, targets);
    }
  }

  /** Returns whether the piece on a square has a legal move. */
  canMove(from: Square): boolean {
    return this.#byOrigin.has(from);
  }

  /** Returns whether the piece on one square may move to another. */
  canGo(from: Square, to: Square): boolean {
    return this.between(from, to).length > 0;
  }

  /**
   * Returns the moves between two squares. There are several if a pawn may promote to several
   * pieces.
   */
  between(from: Square, to: Square): readonly Move[] {
    return this.#byOrigin.get(from)?.get(to) ?? [];
  }
}

/** The legal move between two squares: none, one, or a choice of promotions. */
export type ResolvedMove =
  | { readonly kind: 'none' }
  | { readonly kind: 'move'; readonly mv: Move }
  | { readonly kind: 'promotion'; readonly from: Square; readonly to: Square; readonly choices: readonly PromotionLetter[] };

/** The order in which promotions are offered, strongest first. */
const PROMOTION_ORDER: readonly PromotionLetter[] = ['q', 'r', 'b', 'n'];

/**
 * Returns the legal move that consists of these parts. If the promotion is missing, returns the
 * possible promotions.
 */
export function resolveMove(legal: LegalMoves, { from, to, promotion }: MoveParts): ResolvedMove {
  const moves = legal.between(from, to);
  const choices = PROMOTION_ORDER.filter((letter) => moves.includes(`${from}${to}${letter}`));
  if (promotion !== null) {
    return choices.includes(promotion) ? { kind: 'move', mv: `${from}${to}${promotion}` } : { kind: 'none' };
  }
  if (choices.length > 0) return { kind: 'promotion', from, to, choices };
  const [mv] = moves;
  return mv === undefined ? { kind: 'none' } : { kind: 'move', mv };
}
