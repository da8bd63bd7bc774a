import { signal, type ReadonlySignal } from '@preact/signals';
import type { Square } from '../../protocol/generated.ts';
import { isCastlingNotation, parseCastling } from '../../store/castling.ts';
import { resolveMove, parseTypedMove, type MoveParts } from '../../store/moves.ts';
import { kingOf, roleOf, type PromotionLetter, type RoleLetter } from '../../store/pieces.ts';
import { stuckReason, type StuckReason } from '../../store/stuck.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';

/** A promotion whose piece is not chosen yet. */
export interface PromotionChoice {
  readonly from: Square;
  readonly to: Square;
  readonly choices: readonly PromotionLetter[];
}

/** A move that its player has not confirmed yet. */
export interface UnconfirmedMove {
  readonly from: Square;
  readonly to: Square;
  readonly mv: string;
  /** Set if the move stalemates the next player, which draws the match for all. */
  readonly stalemates: boolean;
}

/** A piece that the player tried to move although it has no legal move. */
export interface StuckPiece {
  readonly square: Square;
  readonly role: RoleLetter;
  readonly reason: StuckReason;
}

/** The input of a table's moves: it turns dragged and typed moves into commands. */
export class MoveInputState {
  readonly promotionChoice = signal<PromotionChoice | null>(null);
  readonly unconfirmed = signal<UnconfirmedMove | null>(null);
  readonly stuck = signal<StuckPiece | null>(null);
  readonly #store: TableStore;
  /** Set if moves need a confirmation. */
  readonly #asksConfirmation: ReadonlySignal<boolean>;

  constructor(store: TableStore, asksConfirmation: ReadonlySignal<boolean>) {
    this.#store = store;
    this.#asksConfirmation = asksConfirmation;
  }

  /**
   * Plays a move, sets it as the premove, or asks for its promotion. Returns whether the move is
   * possible.
   */
  playParts(parts: MoveParts): boolean {
    if (!this.#store.playable.value.areLegal) return this.#store.setPremove(parts);
    const resolved = resolveMove(this.#store.legalMoves.value, parts);
    switch (resolved.kind) {
      case 'none':
        return false;
      case 'move':
        this.promotionChoice.value = null;
        this.#playOrConfirm(parts, resolved.mv);
        return true;
      case 'promotion':
        this.promotionChoice.value = resolved;
        return true;
    }
  }

  /**
   * Plays a legal move. If the user confirms each move, or the move draws the match for all
   * players, asks for confirmation first.
   */
  #playOrConfirm({ from, to }: MoveParts, mv: string): void {
    const stalemates = this.#store.state.value?.hints.stalemating?.includes(mv) === true;
    if (stalemates || this.#asksConfirmation.value) this.unconfirmed.value = { from, to, mv, stalemates };
    else void this.#store.move(mv);
  }

  /** If the viewer's piece on a square has no legal move, explains why. */
  explain(square: Square | null): void {
    const state = this.#store.state.value;
    const reason = state === null || square === null || this.#store.pendingMove.value !== null ? null : stuckReason(state, square);
    const role = roleOf(square === null ? '' : (state?.pieces[square] ?? ''));
    this.stuck.value = square === null || reason === null || role === null ? null : { square, role, reason };
  }

  /** Plays a typed move. Returns the error as a sentence, or `null` if it worked. */
  playTyped(typed: string): string | null {
    const state = this.#store.state.value;
    const parts = parseTypedMove(typed) ?? this.#parseCastling(typed);
    if (parts === null && !isCastlingNotation(typed)) return text.play.unreadable(typed.trim());
    const mayPlay = state !== null && (state.state.turn === state.viewerSeat || !this.#store.playable.value.areLegal);
    if (!mayPlay) return text.play.notNow;
    return parts !== null && this.playParts(parts) ? null : text.play.illegal(typed.trim());
  }

  #parseCastling(typed: string): MoveParts | null {
    const color = this.#store.state.value?.viewerSeat ?? null;
    const pieces = this.#store.pieces.value;
    return parseCastling(typed, color === null ? null : kingOf(pieces, color), pieces, this.#store.playable.value);
  }

  /** Plays the unconfirmed move. */
  confirmMove(): void {
    const move = this.unconfirmed.value;
    this.unconfirmed.value = null;
    if (move !== null) void this.#store.move(move.mv);
  }

  /** Plays the move with the chosen promotion. */
  choosePromotion(promotion: PromotionLetter): void {
    const choice = this.promotionChoice.value;
    this.promotionChoice.value = null;
    if (choice !== null) this.playParts({ from: choice.from, to: choice.to, promotion });
  }

  /** Asks for the promotion of a premove whose turn has come. */
  askPendingPromotion(): void {
    const parts = this.#store.pendingPromotion.value;
    if (parts === null) return;
    this.#store.pendingPromotion.value = null;
    this.playParts(parts);
  }

  /** Drops an unconfirmed move and the choice of a promotion. */
  cancel(): void {
    this.stuck.value = null;
    this.promotionChoice.value = null;
    this.unconfirmed.value = null;
  }
}
