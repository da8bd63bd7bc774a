import { Refusal } from '../../src/connection/outbox.ts';
import type { Color, Exploration, Explore, Move, Piece, Square } from '../../src/protocol/generated.ts';
import { parseMove } from '../../src/store/moves.ts';
import { classicStart, EIGHT, seats } from './boards.ts';

/** A question to the explorer that is not yet answered. */
export interface Question {
  readonly body: Explore;
  readonly signal: AbortSignal | undefined;
  /** Answers as a server would that lets every piece go anywhere. */
  answer(more?: Partial<Exploration>): void;
  fail(error: Error): void;
}

/**
 * A server that explores classic lines on demand, also canceled requests. A move from `a1` is never
 * legal.
 */
export class ScriptedExplorer {
  readonly questions: Question[] = [];
  /** The moves of each text it can read. */
  readonly texts: Record<string, readonly Move[]> = {};

  readonly explore = (body: Explore, signal?: AbortSignal): Promise<Exploration> =>
    new Promise((resolve, reject) => {
      this.questions.push({
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

  /** The last question. */
  get last(): Question {
    const last = this.questions.at(-1);
    if (last === undefined) throw new Error('nothing was asked');
    return last;
  }

  /** Answers the last question, and waits until that was taken in. */
  async answer(more?: Partial<Exploration>): Promise<void> {
    this.last.answer(more);
    await settled();
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
      board: EIGHT,
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

/** Lets everything happen that waits for nothing but its turn. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

function turnAfter(plies: number): Color {
  return plies % 2 === 0 ? 'white' : 'black';
}
