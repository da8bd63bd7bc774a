import { signal, type ReadonlySignal } from '@preact/signals';
import type { Square } from '../../protocol/generated.ts';
import { isCastlingNotation, parseCastling } from '../../store/castling.ts';
import { resolveMove, parseTypedMove, type MoveParts } from '../../store/moves.ts';
import { kingOf, type PromotionLetter } from '../../store/pieces.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';

/** A pawn is about to be promoted and its player has yet to say to what. */
export interface PromotionChoice {
  readonly from: Square;
  readonly to: Square;
  readonly choices: readonly PromotionLetter[];
}

/** A move that its player has yet to confirm. */
export interface UnconfirmedMove {
  readonly from: Square;
  readonly to: Square;
  readonly mv: string;
}

/** Turns what a player does on the board or types into moves of a table. */
export class Playing {
  readonly choice = signal<PromotionChoice | null>(null);
  readonly unconfirmed = signal<UnconfirmedMove | null>(null);
  readonly #store: TableStore;
  /** Set if moves are to be confirmed. */
  readonly #confirms: ReadonlySignal<boolean>;

  constructor(store: TableStore, confirms: ReadonlySignal<boolean>) {
    this.#store = store;
    this.#confirms = confirms;
  }

  /** Plays a move, holds it for one's turn, or asks what the pawn becomes. Says whether there is such a move. */
  play(parts: MoveParts): boolean {
    if (!this.#store.playable.value.areLegal) return this.#store.setPremove(parts);
    const found = resolveMove(this.#store.legal.value, parts);
    switch (found.kind) {
      case 'none':
        return false;
      case 'move':
        this.choice.value = null;
        if (this.#confirms.value) this.unconfirmed.value = { from: parts.from, to: parts.to, mv: found.mv };
        else void this.#store.move(found.mv);
        return true;
      case 'promotion':
        this.choice.value = found;
        return true;
    }
  }

  /** Plays what was typed, or says in a sentence why not. */
  playTyped(typed: string): string | null {
    const state = this.#store.state.value;
    const parts = parseTypedMove(typed) ?? this.#castling(typed);
    if (parts === null && !isCastlingNotation(typed)) return text.play.unreadable(typed.trim());
    const mayPlay = state !== null && (state.state.turn === state.you || !this.#store.playable.value.areLegal);
    if (!mayPlay) return text.play.notNow;
    return parts !== null && this.play(parts) ? null : text.play.illegal(typed.trim());
  }

  #castling(typed: string): MoveParts | null {
    const color = this.#store.state.value?.you ?? null;
    const pieces = this.#store.pieces.value;
    return parseCastling(typed, color === null ? null : kingOf(pieces, color), pieces, this.#store.playable.value);
  }

  /** The player has looked again and means it. */
  confirm(): void {
    const move = this.unconfirmed.value;
    this.unconfirmed.value = null;
    if (move !== null) void this.#store.move(move.mv);
  }

  /** The player has said what the pawn becomes. */
  choose(promotion: PromotionLetter): void {
    const choice = this.choice.value;
    this.choice.value = null;
    if (choice !== null) this.play({ from: choice.from, to: choice.to, promotion });
  }

  /** The turn of a move made in advance has come: asks what its pawn becomes. */
  decide(): void {
    const parts = this.#store.pendingPromotion.value;
    if (parts === null) return;
    this.#store.pendingPromotion.value = null;
    this.play(parts);
  }

  /** The player thought better of it. */
  cancel(): void {
    this.choice.value = null;
    this.unconfirmed.value = null;
  }
}
