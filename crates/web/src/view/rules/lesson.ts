import type { BoardView, Color, Move, ReserveView, Square, Variant } from '../../protocol/generated.ts';
import type { LessonName } from '../../text/rules-names.ts';
import type { Pieces } from '../../store/pieces.ts';

/**
 * A lesson: a position and the steps that follow from it. The texts of a lesson are in the
 * catalogue of each language, under the lesson's name.
 */
export interface Lesson {
  readonly name: LessonName;
  readonly variant: Variant;
  readonly board: BoardView;
  /** The colors that play. */
  readonly colors: readonly Color[];
  /** The position at the start, FEN or FEN4. */
  readonly fen: string;
  readonly frames: readonly LessonFrame[];
}

/** The board after a step of a lesson. */
export interface LessonFrame {
  readonly pieces: Pieces;
  /** `null` once the game is over. */
  readonly turn: Color | null;
  readonly checks: readonly Color[];
  /** Eliminated colors. */
  readonly out: readonly Color[];
  readonly moved?: { readonly color: Color; readonly from: Square; readonly to: Square; readonly text: string };
  readonly show?: PieceTargets;
  /** The reader's task after this step, if there is one. */
  readonly next?: LessonTask;
}

/** A move for the reader to make. */
export interface LessonTask {
  /** The kind of task. `the` requires the move of the lesson, `any` accepts every legal move. */
  readonly task: 'the' | 'any';
  readonly mv: Move;
  readonly legal: readonly Move[];
  /** The reserve of the player to move, if there is one. */
  readonly reserve?: ReserveView;
}

/** A square, and the targets of the piece on it. */
export interface PieceTargets {
  readonly square: Square;
  readonly targets: readonly Square[];
}
