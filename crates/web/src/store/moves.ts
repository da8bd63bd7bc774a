import type { Move, Square } from '../protocol/generated.ts';
import { withChanges, type Pieces, type PromotionLetter } from './pieces.ts';

/** A move in its parts. */
export interface MoveParts {
  readonly from: Square;
  readonly to: Square;
  readonly promotion: PromotionLetter | null;
}

const SQUARE = '[a-n](?:1[0-4]|[1-9])';
const MOVE = new RegExp(`^(${SQUARE})(${SQUARE})([qrbn])?$`);
/** Moves as people type them: `h2h4`, `h2-h4`, `Qh1xNn7+`, `b10a11=N`. */
const TYPED = new RegExp(`^[PNBRQK]?(${SQUARE})[-x]?[PNBRQK]?(${SQUARE})(?:=?([qrbnQRBN]))?[+#]*$`);

/** Takes a move apart; `null` for what is not written as a move. */
export function partsOf(mv: Move): MoveParts | null {
  return parts(MOVE.exec(mv));
}

/** Reads what somebody typed. */
export function readTyped(text: string): MoveParts | null {
  const plain = text.replaceAll(/\s/g, '');
  return parts(TYPED.exec(plain)) ?? parts(MOVE.exec(plain.toLowerCase()));
}

function parts(found: RegExpExecArray | null): MoveParts | null {
  const [, from, to, promotion] = found ?? [];
  if (from === undefined || to === undefined) return null;
  return { from, to, promotion: (promotion?.toLowerCase() as PromotionLetter | undefined) ?? null };
}

/** Returns the board before the server has confirmed a move: the piece stands where it goes. */
export function withMoveMade(pieces: Pieces, mv: Move | null): Pieces {
  const made = mv === null ? null : partsOf(mv);
  const piece = made === null ? undefined : pieces[made.from];
  if (made === null || piece === undefined) return pieces;
  const shown = made.promotion === null ? piece : piece.charAt(0) + made.promotion.toUpperCase();
  return withChanges(pieces, { [made.from]: null, [made.to]: shown });
}

/** The pieces that may be picked up on a board, and their destinations. */
export interface Playable {
  /** Set if the moves are known to be legal: only then are they shown beforehand. */
  readonly certain: boolean;
  /** Returns whether a piece on this square may be picked up. */
  canMove(from: Square): boolean;
  /** Returns whether a piece on one square may be put on another. */
  canGo(from: Square, to: Square): boolean;
}

/** The legal moves from the server, arranged for picking up and putting down. */
export class LegalMoves implements Playable {
  readonly certain = true;
  readonly #byOrigin = new Map<Square, Map<Square, Move[]>>();

  constructor(moves: readonly Move[]) {
    for (const mv of moves) {
      const found = partsOf(mv);
      if (found === null) continue;
      const targets = this.#byOrigin.get(found.from) ?? new Map<Square, Move[]>();
      targets.set(found.to, [...(targets.get(found.to) ?? []), mv]);
      this.#byOrigin.set(found.from, targets);
    }
  }

  /** Returns whether a piece on this square has a move. */
  canMove(from: Square): boolean {
    return this.#byOrigin.has(from);
  }

  /** Returns whether a piece on one square may go to another. */
  canGo(from: Square, to: Square): boolean {
    return this.between(from, to).length > 0;
  }

  /** The moves between two squares: several when a pawn may become one of several pieces. */
  between(from: Square, to: Square): readonly Move[] {
    return this.#byOrigin.get(from)?.get(to) ?? [];
  }
}

/** The result of a move from one square to another. */
export type Attempt =
  | { readonly kind: 'none' }
  | { readonly kind: 'move'; readonly mv: Move }
  | { readonly kind: 'promotion'; readonly from: Square; readonly to: Square; readonly choices: readonly PromotionLetter[] };

/** Order in which promotions are offered: the strongest first. */
const CHOICES: readonly PromotionLetter[] = ['q', 'r', 'b', 'n'];

/** Finds the move that was meant, or the choice that is left to make. */
export function attempt(legal: LegalMoves, { from, to, promotion }: MoveParts): Attempt {
  const moves = legal.between(from, to);
  const choices = CHOICES.filter((letter) => moves.includes(`${from}${to}${letter}`));
  if (promotion !== null) {
    return choices.includes(promotion) ? { kind: 'move', mv: `${from}${to}${promotion}` } : { kind: 'none' };
  }
  if (choices.length > 0) return { kind: 'promotion', from, to, choices };
  const [mv] = moves;
  return mv === undefined ? { kind: 'none' } : { kind: 'move', mv };
}
