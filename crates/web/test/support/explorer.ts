import { Refusal } from '../../src/connection/outbox.ts';
import type { Color, Exploration, Explore, Move, Piece, Square } from '../../src/protocol/generated.ts';
import { parseMove } from '../../src/store/moves.ts';
import { classicStart, CLASSIC_BOARD, seats } from './boards.ts';

/** An unanswered request to the explorer. */
export interface PendingExplore {
  readonly body: Explore;
  readonly signal: AbortSignal | undefined;
  /** Answers like a server on which every piece may move anywhere. */
  answer(more?: Partial<Exploration>): void;
  fail(error: Error): void;
}

/**
 * A server that explores classic lines when the test says so, also canceled requests. A move from
 * `a1` is never legal.
 */
export class ScriptedExplorer {
  readonly requests: PendingExplore[] = [];
  /** The moves of each readable text. */
  readonly texts: Record<string, readonly Move[]> = {};

  readonly explore = (body: Explore, signal?: AbortSignal): Promise<Exploration> =>
    new Promise((resolve, reject) => {
      this.requests.push({
        body,
        signal,
        answer: (more) => {
          try {
            resolve({ ...this.#explored(body), ...more });
          } catch (error) {
            reject(error as Error);
          }
        },
        fail: reject,
      });
    });

  /** The last request. */
  get last(): PendingExplore {
    const last = this.requests.at(-1);
    if (last === undefined) throw new Error('nothing was asked');
    return last;
  }

  /** Answers the last request and waits until the answer is handled. */
  async answer(more?: Partial<Exploration>): Promise<void> {
    this.last.answer(more);
    await flushTasks();
  }

  #explored({ setup, moves = [] }: Explore): Exploration {
    const given = setup.kind === 'start' ? [] : this.#read(setup.text).slice(0, setup.plies ?? Infinity);
    const start = classicStart();
    const pieces: Record<Square, Piece> = { ...start };
    const line = [...given, ...moves].map((mv, index) => {
      const { from, to } = parseMove(mv) ?? { from: '', to: '' };
      const piece = pieces[from];
      if (from === 'a1' || piece === undefined) throw new Refusal('illegal_move', `ply ${index + 1}: ${mv} is not legal here`);
      delete pieces[from];
      pieces[to] = piece;
      return { color: turnAfter(index), move: mv, notation: `${from}-${to}`, squares: { [from]: null, [to]: piece } };
    });
    return {
      variant: 'classic',
      board: CLASSIC_BOARD,
      seats: seats({ white: null, black: null }),
      start,
      start_fen: 'start',
      line,
      state: {
        phase: 'running',
        turn: turnAfter(line.length),
        active_players: ['white', 'black'],
        eliminated: [],
        checks: [],
        can_claim_draw: false,
      },
      legal_moves: Object.keys(pieces).map((from) => `${from}e4`),
      fen: `fen after ${line.length}`,
      notation: line.map(({ notation }) => notation).join(' '),
    };
  }

  #read(text: string): readonly Move[] {
    const moves = this.texts[text];
    if (moves === undefined) throw new Refusal('bad_text', 'line 1, column 3: this is no move');
    return moves;
  }
}

/** Waits until all pending tasks have run. */
export function flushTasks(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

function turnAfter(plies: number): Color {
  return plies % 2 === 0 ? 'white' : 'black';
}
