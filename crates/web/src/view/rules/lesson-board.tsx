import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Move, Square } from '../../protocol/generated.ts';
import { resolveMove, LegalMoves, parseMove, withMoveMade } from '../../store/moves.ts';
import { kingOf, type Pieces } from '../../store/pieces.ts';
import { Board } from '../board/board.tsx';
import { Layout } from '../board/geometry.ts';
import type { MoveMark } from '../board/marks.ts';
import { Promotion } from '../board/promotion.tsx';
import { StillBoard } from '../board/still-board.tsx';
import { useInViewport } from '../in-viewport.ts';
import type { PromotionChoice } from '../table/playing.ts';
import type { Frame, Lesson } from './lesson.ts';

interface LessonBoardProps {
  readonly lesson: Lesson;
  readonly step: number;
  /** The move that led to this step, if the reader made it: it need not be the lesson's own. */
  readonly own: Move | null;
  readonly onPlay: (mv: Move) => void;
  /** Accessible name. */
  readonly label: string;
}

const NONE: ReadonlySet<Square> = new Set();

/** The board of a lesson: one to be worked with where a move is the reader's to make, a picture elsewhere. */
export function LessonBoard({ lesson, step, own, onPlay, label }: LessonBoardProps): JSX.Element | null {
  const element = useRef<HTMLDivElement>(null);
  const seen = useInViewport(element);
  const layout = useMemo(() => new Layout(lesson.board, 'south'), [lesson]);
  const seats = useMemo(() => lesson.colors.map((color) => ({ color })), [lesson]);
  const frame = lesson.frames[step];
  const legal = useMemo(() => new LegalMoves(frame?.next?.legal ?? []), [frame]);
  const isOther = own !== null && own !== lesson.frames[step - 1]?.next?.mv;
  const pieces = useMemo(() => (isOther ? withMoveMade(lesson.frames[step - 1]?.pieces ?? {}, own) : (frame?.pieces ?? {})), [lesson, step, frame, isOther, own]);
  const marks = useMemo(() => marksOf(lesson, step, isOther ? own : null), [lesson, step, isOther, own]);
  const checks = useMemo(() => (frame === undefined || isOther ? NONE : kings(frame, pieces)), [frame, isOther, pieces]);
  const [choice, setChoice] = useState<PromotionChoice | null>(null);
  if (frame === undefined) return null;
  const { next, turn } = frame;

  const onGo = (from: Square, to: Square): void => {
    const found = resolveMove(legal, { from, to, promotion: null });
    setChoice(found.kind === 'promotion' ? found : null);
    if (found.kind === 'move') onPlay(found.mv);
  };
  return (
    <div ref={element} class="lesson-board" data-color={turn ?? undefined}>
      {/* A page has many lessons; a board of so many squares is made for those in sight. */}
      {next !== undefined && seen ? (
        <Board
          layout={layout}
          seats={seats}
          pieces={pieces}
          playable={legal}
          premoveMarks={NONE}
          moveMarks={marks}
          checkMarks={checks}
          onGo={onGo}
          onTouch={() => setChoice(null)}
          label={label}
          grid={{ 'data-variant': lesson.variant }}
        />
      ) : (
        <StillBoard layout={layout} pieces={pieces} seats={seats} marks={marks} checks={checks} look={frame.show} />
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

/** Each color's last move up to a step, the last of all as the reader made it. */
function marksOf(lesson: Lesson, step: number, own: Move | null): ReadonlyMap<Square, MoveMark> {
  const marks = new Map<Square, MoveMark>();
  for (const [index, { moved }] of lesson.frames.slice(0, step + 1).entries()) {
    if (moved === undefined) continue;
    for (const [square, mark] of marks) if (mark.color === moved.color) marks.delete(square);
    const { from, to } = (index === step && own !== null ? parseMove(own) : null) ?? moved;
    marks.set(from, { color: moved.color, end: 'from' });
    marks.set(to, { color: moved.color, end: 'to' });
  }
  return marks;
}

function kings({ checks }: Frame, pieces: Pieces): ReadonlySet<Square> {
  return new Set(checks.map((color) => kingOf(pieces, color)).filter((square) => square !== null));
}
