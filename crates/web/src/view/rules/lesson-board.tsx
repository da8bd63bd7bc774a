import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Move, Square } from '../../protocol/generated.ts';
import { resolveMove, LegalMoves, parseMove, withMoveMade } from '../../store/moves.ts';
import { kingOf, type Pieces } from '../../store/pieces.ts';
import { Board } from '../board/board.tsx';
import { Layout } from '../board/geometry.ts';
import type { MoveMark } from '../board/marks.ts';
import { Promotion } from '../board/promotion.tsx';
import { StaticBoard } from '../board/static-board.tsx';
import { useInViewport } from '../in-viewport.ts';
import type { PromotionChoice } from '../table/move-input-state.ts';
import type { LessonFrame, Lesson } from './lesson.ts';

interface LessonBoardProps {
  readonly lesson: Lesson;
  readonly step: number;
  /** The reader's move that led to this step; it may differ from the lesson's move. */
  readonly ownMove: Move | null;
  readonly onPlay: (mv: Move) => void;
  /** Accessible name. */
  readonly label: string;
}

const NO_SQUARES: ReadonlySet<Square> = new Set();

/** The board of a lesson: interactive if the reader is to move, otherwise a picture. */
export function LessonBoard({ lesson, step, ownMove, onPlay, label }: LessonBoardProps): JSX.Element | null {
  const element = useRef<HTMLDivElement>(null);
  const isVisible = useInViewport(element);
  const layout = useMemo(() => new Layout(lesson.board, 'south'), [lesson]);
  const seats = useMemo(() => lesson.colors.map((color) => ({ color })), [lesson]);
  const frame = lesson.frames[step];
  const legal = useMemo(() => new LegalMoves(frame?.next?.legal ?? []), [frame]);
  const isOtherMove = ownMove !== null && ownMove !== lesson.frames[step - 1]?.next?.mv;
  const pieces = useMemo(() => (isOtherMove ? withMoveMade(lesson.frames[step - 1]?.pieces ?? {}, ownMove) : (frame?.pieces ?? {})), [lesson, step, frame, isOtherMove, ownMove]);
  const marks = useMemo(() => lastMoveMarks(lesson, step, isOtherMove ? ownMove : null), [lesson, step, isOtherMove, ownMove]);
  const checks = useMemo(() => (frame === undefined || isOtherMove ? NO_SQUARES : checkedKings(frame, pieces)), [frame, isOtherMove, pieces]);
  const [choice, setChoice] = useState<PromotionChoice | null>(null);
  if (frame === undefined) return null;
  const { next, turn } = frame;

  const onGo = (from: Square, to: Square): void => {
    const resolved = resolveMove(legal, { from, to, promotion: null });
    setChoice(resolved.kind === 'promotion' ? resolved : null);
    if (resolved.kind === 'move') onPlay(resolved.mv);
  };
  return (
    <div ref={element} class="lesson-board" data-color={turn ?? undefined}>
      {/* A page has many lessons. Only boards in the window are interactive, since they have many
          elements. */}
      {next !== undefined && isVisible ? (
        <Board
          layout={layout}
          seats={seats}
          pieces={pieces}
          playable={legal}
          premoveMarks={NO_SQUARES}
          moveMarks={marks}
          checkMarks={checks}
          onMove={onGo}
          onPress={() => setChoice(null)}
          label={label}
          attributes={{ 'data-variant': lesson.variant }}
        />
      ) : (
        <StaticBoard layout={layout} pieces={pieces} seats={seats} marks={marks} checks={checks} highlight={frame.show} />
      )}
      {choice !== null && turn !== null && (
        <Promotion
          layout={layout}
          color={turn}
          to={choice.to}
          choices={choice.choices}
          reserve={next?.reserve ?? null}
          onChoose={(letter) => {
            setChoice(null);
            onPlay(`${choice.from}${choice.to}${letter}`);
          }}
          onCancel={() => setChoice(null)}
        />
      )}
    </div>
  );
}

/**
 * Returns the squares of each color's last move up to a step, with the reader's own move as the
 * last one.
 */
function lastMoveMarks(lesson: Lesson, step: number, ownMove: Move | null): ReadonlyMap<Square, MoveMark> {
  const marks = new Map<Square, MoveMark>();
  for (const [index, { moved }] of lesson.frames.slice(0, step + 1).entries()) {
    if (moved === undefined) continue;
    for (const [square, mark] of marks) if (mark.color === moved.color) marks.delete(square);
    const { from, to } = (index === step && ownMove !== null ? parseMove(ownMove) : null) ?? moved;
    marks.set(from, { color: moved.color, end: 'from' });
    marks.set(to, { color: moved.color, end: 'to' });
  }
  return marks;
}

function checkedKings({ checks }: LessonFrame, pieces: Pieces): ReadonlySet<Square> {
  return new Set(checks.map((color) => kingOf(pieces, color)).filter((square) => square !== null));
}
