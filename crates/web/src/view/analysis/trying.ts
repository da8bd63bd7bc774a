import { signal } from '@preact/signals';
import type { Analysis } from '../../store/analysis/analysis.ts';
import { isCastlingNotation, parseCastling } from '../../store/castling.ts';
import { resolveMove, parseTypedMove, type MoveParts } from '../../store/moves.ts';
import { kingOf, type PromotionLetter } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import type { PromotionChoice } from '../table/playing.ts';

/** Turns what somebody does on the board or types into moves of an analysis. */
export class AnalysisInput {
  readonly choice = signal<PromotionChoice | null>(null);
  readonly #analysis: Analysis;

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
  }

  /** Tries a move, or asks what the pawn becomes. Says whether there is such a move. */
  play(parts: MoveParts): boolean {
    const found = resolveMove(this.#analysis.legal.value, parts);
    if (found.kind === 'none') return false;
    this.choice.value = found.kind === 'promotion' ? found : null;
    if (found.kind === 'move') void this.#analysis.playMove(found.mv);
    return true;
  }

  /** Tries what was typed, or says in a sentence why not. */
  playTyped(typed: string): string | null {
    const parts = parseTypedMove(typed) ?? this.#castling(typed);
    if (parts === null && !isCastlingNotation(typed)) return text.play.unreadable(typed.trim());
    return parts !== null && this.play(parts) ? null : text.play.illegal(typed.trim());
  }

  #castling(typed: string): MoveParts | null {
    const { pieces, currentFacts: outlook, legal } = this.#analysis;
    const turn = outlook.value?.state.turn ?? null;
    return parseCastling(typed, turn === null ? null : kingOf(pieces.value, turn), pieces.value, legal.value);
  }

  /** Sets the piece that the pawn becomes. */
  choose(promotion: PromotionLetter): void {
    const choice = this.choice.value;
    this.choice.value = null;
    if (choice !== null) this.play({ from: choice.from, to: choice.to, promotion });
  }

  /** Thought better of. */
  cancel(): void {
    this.choice.value = null;
  }
}
