import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Square } from '../../protocol/generated.ts';
import { kingOf } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import { Layout } from '../board/geometry.ts';
import type { MoveMark } from '../board/marks.ts';
import { PieceArt } from '../board/piece-art.tsx';
import { StillBoard } from '../board/still-board.tsx';
import { pageOf } from '../router.ts';
import type { Frame, Lesson } from './lesson.ts';

/** A lesson: its board after one step, what is to be seen there, and the way to the others. */
export function LessonView({ lesson }: { lesson: Lesson }): JSX.Element | null {
  const [step, setStep] = useState(0);
  const words = text.rules;
  const { title, captions } = words.lessons[lesson.name];
  const layout = useMemo(() => new Layout(lesson.board, 'south'), [lesson]);
  const seats = useMemo(() => lesson.colors.map((color) => ({ color })), [lesson]);
  const frame = lesson.frames[step];
  const marks = useMemo(() => marksOf(lesson, step), [lesson, step]);
  if (frame === undefined) return null;
  const last = lesson.frames.length - 1;
  return (
    <figure class="lesson" aria-labelledby={`lesson-${lesson.name}`} data-testid={`lesson-${lesson.name}`} data-step={step}>
      <h3 id={`lesson-${lesson.name}`}>{title}</h3>
      <div class="lesson-board" data-color={frame.turn ?? undefined}>
        <StillBoard layout={layout} pieces={frame.pieces} seats={seats} marks={marks} checks={kings(frame)} look={frame.show} />
      </div>
      <figcaption>
        <p class="lesson-step">
          {words.step(step + 1, last + 1)}
          {frame.turn !== null && (
            <span class="lesson-turn" data-color={frame.turn}>
              {text.table.toMove(frame.turn)}
            </span>
          )}
        </p>
        <p class="lesson-caption" aria-live="polite">
          {captions[step]}
        </p>
        <Becomes frame={frame} />
      </figcaption>
      <div class="buttons">
        <button type="button" class="button" disabled={step === 0} onClick={() => setStep(step - 1)}>
          {words.back}
        </button>
        {step < last ? (
          <button type="button" class="button primary" data-testid="lesson-next" onClick={() => setStep(step + 1)}>
            {words.next}
          </button>
        ) : (
          <button type="button" class="button" onClick={() => setStep(0)}>
            {words.again}
          </button>
        )}
      </div>
      <Try lesson={lesson} title={title} />
    </figure>
  );
}

/** What the pawn that is looked at may become. */
function Becomes({ frame: { show, turn } }: { frame: Frame }): JSX.Element | null {
  const roles = show?.promotions ?? [];
  if (roles.length === 0 || turn === null) return null;
  return (
    <p class="becomes">
      <span>{text.rules.mayBecome}</span>
      {roles.map((role) => (
        <span key={role} class="value-piece" role="img" aria-label={text.roles[role]}>
          <PieceArt color={turn} role={role} />
        </span>
      ))}
    </p>
  );
}

/** The way to where this position can be played on. */
function Try({ lesson, title }: { lesson: Lesson; title: string }): JSX.Element | null {
  const path = '/analysis';
  if (pageOf({ pathname: path, search: '' }).kind === 'unknown') return null;
  const query = new URLSearchParams({ variant: lesson.variant, fen: lesson.fen });
  return (
    <a class="lesson-try" href={`${path}?${query.toString()}`}>
      {text.rules.try}
      <span class="visually-hidden">: {title}</span>
    </a>
  );
}

/** Each color's last move up to a step. */
function marksOf(lesson: Lesson, step: number): ReadonlyMap<Square, MoveMark> {
  const marks = new Map<Square, MoveMark>();
  for (const { moved } of lesson.frames.slice(0, step + 1)) {
    if (moved === undefined) continue;
    for (const [square, mark] of marks) if (mark.color === moved.color) marks.delete(square);
    marks.set(moved.from, { color: moved.color, end: 'from' });
    marks.set(moved.to, { color: moved.color, end: 'to' });
  }
  return marks;
}

function kings({ pieces, checks }: Frame): ReadonlySet<Square> {
  return new Set(checks.map((color) => kingOf(pieces, color)).filter((square) => square !== null));
}
