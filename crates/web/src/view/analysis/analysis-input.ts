import { signal } from '@preact/signals';
import type { Analysis } from '../../store/analysis/analysis.ts';
import { isCastlingNotation, parseCastling } from '../../store/castling.ts';
import { resolveMove, parseTypedMove, type MoveParts } from '../../store/moves.ts';
import { kingOf, type PromotionLetter } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import type { PromotionChoice } from '../table/move-input-state.ts';

/** The input of an analysis: it turns dragged and typed moves into moves of the tree. */
export class AnalysisInput {
  readonly promotionChoice = signal<PromotionChoice | null>(null);
  readonly #analysis: Analysis;

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
  }

  /** Plays a move or asks for its promotion. Returns whether the move is legal. */
  playParts(parts: MoveParts): boolean {
    const resolved = resolveMove(this.#analysis.legal.value, parts);
    if (resolved.kind === 'none') return false;
    this.promotionChoice.value = resolved.kind === 'promotion' ? resolved : null;
    if (resolved.kind === 'move') void this.#analysis.playMove(resolved.mv);
    return true;
  }

  /** Plays a typed move. Returns the error as a sentence, or `null` if it worked. */
  playTyped(typed: string): string | null {
    const parts = parseTypedMove(typed) ?? this.#parseCastling(typed);
    if (parts === null && !isCastlingNotation(typed)) return text.play.unreadable(typed.trim());
    return parts !== null && this.playParts(parts) ? null : text.play.illegal(typed.trim());
  }

  #parseCastling(typed: string): MoveParts | null {
    const { pieces, currentFacts, legal } = this.#analysis;
    const turn = currentFacts.value?.state.turn ?? null;
    return parseCastling(typed, turn === null ? null : kingOf(pieces.value, turn), pieces.value, legal.value);
  }

  /** Plays the move with the chosen promotion. */
  choosePromotion(promotion: PromotionLetter): void {
    const choice = this.promotionChoice.value;
    this.promotionChoice.value = null;
    if (choice !== null) this.playParts({ from: choice.from, to: choice.to, promotion });
  }

  /** Drops the choice of a promotion. */
  cancelPromotion(): void {
    this.promotionChoice.value = null;
  }
}
