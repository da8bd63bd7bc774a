import { signal } from '@preact/signals';
import { Refusal } from '../connection/outbox.ts';
import type { Color, ConditionalMoves, ConditionalStep, TableId } from '../protocol/generated.ts';
import type { ConditionalApi } from './conditional-api.ts';
import { isActive, type TableState } from './table.ts';

/** A line of conditional moves. */
export type ConditionalLine = readonly ConditionalStep[];

/** Returns the seat for which the viewer may store conditional moves, or `null`. */
export function conditionalSeat(state: TableState): Color | null {
  const { viewerSeat, settings } = state;
  if (viewerSeat === null || settings.time.kind !== 'correspondence' || state.state.phase !== 'running') return null;
  return isActive(state, viewerSeat) ? viewerSeat : null;
}

/**
 * Returns the lines with another line, which replaces those that it continues. A line that is there
 * already is not added again.
 */
export function withLine(lines: readonly ConditionalLine[], line: ConditionalLine): readonly ConditionalLine[] {
  if (lines.some((other) => continues(other, line))) return lines;
  return [...lines.filter((other) => !continues(line, other)), line];
}

/** Returns whether a line begins with all steps of another one. */
function continues(line: ConditionalLine, start: ConditionalLine): boolean {
  return start.every((step, index) => line[index]?.color === step.color && line[index]?.move === step.move);
}

/** The conditional moves of the viewer at a table. */
export class ConditionalMovesStore {
  /** The conditional moves as the server has them; `null` until they are loaded. */
  readonly moves = signal<ConditionalMoves | null>(null);
  /** Set while a change is sent. */
  readonly isBusy = signal(false);
  readonly #api: ConditionalApi;
  /** The number of the last request; answers of earlier requests are dropped. */
  #request = 0;

  constructor(api: ConditionalApi) {
    this.#api = api;
  }

  /** Returns the lines of a seat. */
  linesOf(color: Color): readonly ConditionalLine[] {
    return this.moves.value?.seats.find((seat) => seat.color === color)?.lines ?? [];
  }

  /** Loads the conditional moves. */
  async load(table: TableId): Promise<void> {
    await this.#receive(this.#api.own(table));
  }

  /** Stores a line beside the others of a seat. Rejects if the server refuses it. */
  add(state: TableState, color: Color, line: ConditionalLine): Promise<void> {
    return this.#set(state, color, withLine(this.linesOf(color), line));
  }

  /** Removes a line of a seat. */
  remove(state: TableState, color: Color, line: ConditionalLine): Promise<void> {
    return this.#set(state, color, this.linesOf(color).filter((other) => other !== line));
  }

  async #set(state: TableState, color: Color, lines: readonly ConditionalLine[]): Promise<void> {
    this.isBusy.value = true;
    try {
      const body = { match: state.match, after: state.seq, seat: color, lines: lines.map((line) => [...line]) };
      await this.#receive(this.#api.set(state.table, body));
    } catch (error) {
      // The board has changed meanwhile, and with it the lines.
      if (error instanceof Refusal && error.code === 'stale') await this.load(state.table);
      throw error;
    } finally {
      this.isBusy.value = false;
    }
  }

  async #receive(answer: Promise<ConditionalMoves>): Promise<void> {
    this.#request += 1;
    const request = this.#request;
    const moves = await answer;
    if (request === this.#request) this.moves.value = moves;
  }
}
