import type { BoardView, Color, Move, ReserveView, Square, Variant } from '../../protocol/generated.ts';
import type { LessonName } from '../../text/rules-names.ts';
import type { Pieces } from '../../store/pieces.ts';

/** A position and what happens on it, step by step. What the words beside it say is in the catalogue, under its name. */
export interface Lesson {
  readonly name: LessonName;
  readonly variant: Variant;
  readonly board: BoardView;
  /** Colors that play. */
  readonly colors: readonly Color[];
  /** The position at the start, FEN or FEN4. */
  readonly fen: string;
  readonly frames: readonly Frame[];
}

/** The board after a step. */
export interface Frame {
  readonly pieces: Pieces;
  /** `null` once the game is over. */
  readonly turn: Color | null;
  readonly checks: readonly Color[];
  /** Eliminated colors. */
  readonly out: readonly Color[];
  readonly moved?: { readonly color: Color; readonly from: Square; readonly to: Square; readonly text: string };
  readonly show?: Look;
  /** The reader's task after this step, if there is one. */
  readonly next?: Task;
}

/** A move for the reader to make. */
export interface Task {
  /** Kind of task: the lesson's own move is required, or any legal move will do. */
  readonly task: 'the' | 'any';
  readonly mv: Move;
  readonly legal: readonly Move[];
  /** Pieces that the player to move may promote to, where they are counted. */
  readonly reserve?: ReserveView;
}

/** A square, and where what stands there may go. */
export interface Look {
  readonly square: Square;
  readonly targets: readonly Square[];
}
