import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Move } from '../../protocol/generated.ts';
import type { LessonWords } from '../../text/en/rules.ts';
import { text } from '../../text/index.ts';
import { parseAddress } from '../router.ts';
import { LessonBoard } from './lesson-board.tsx';
import type { Lesson } from './lesson.ts';

/** A move that the reader made. */
interface PlayedMove {
  readonly mv: Move;
  /** Set if it is the right answer. */
  readonly isCorrect: boolean;
}

/** A lesson: the board at one step, its text or task, and the buttons to the other steps. */
export function LessonView({ lesson }: { lesson: Lesson }): JSX.Element | null {
  const [step, setStep] = useState(0);
  const [played, setPlayed] = useState<PlayedMove | null>(null);
  const words = text.rules;
  const { title, captions, tasks }: LessonWords = words.lessons[lesson.name];
  const frame = lesson.frames[step];
  if (frame === undefined) return null;
  const last = lesson.frames.length - 1;
  const task = frame.next === undefined ? undefined : tasks?.[step];

  const goTo = (to: number): void => {
    setPlayed(null);
    setStep(to);
  };
  const onPlay = (mv: Move): void => {
    if (frame.next === undefined) return;
    const isCorrect = frame.next.task === 'any' || mv === frame.next.mv;
    setPlayed({ mv, isCorrect });
    if (isCorrect) setStep(step + 1);
  };

  return (
    <figure class="lesson" aria-labelledby={`lesson-${lesson.name}`} data-testid={`lesson-${lesson.name}`} data-step={step}>
      <h3 id={`lesson-${lesson.name}`}>{title}</h3>
      <LessonBoard lesson={lesson} step={step} ownMove={played?.isCorrect === true ? played.mv : null} onPlay={onPlay} label={`${title}, ${text.table.board}`} />
      <figcaption>
        <p class="lesson-step">
          {words.step(step + 1, last + 1)}
          {frame.turn !== null && (
            <span class="lesson-turn" data-color={frame.turn}>
              {text.table.toMove(frame.turn)}
            </span>
          )}
        </p>
        <div class="lesson-stage">
          <div class="lesson-text" aria-live="polite">
            <p>
              {played?.isCorrect === true && <strong class="lesson-correct">{words.right} </strong>}
              {captions[step]}
            </p>
            {task !== undefined && <p class="lesson-task">{task}</p>}
            {played?.isCorrect === false && <p class="field-error">{words.legalButWrong}</p>}
          </div>
          {/* The texts of the other steps take up room as well, so that the buttons do not move. */}
          {captions.map((caption, index) => (
            <div key={caption} class="lesson-text" aria-hidden="true" data-unsaid>
              <p>{`${words.right} ${caption}`}</p>
              {tasks?.[index] !== undefined && (
                <>
                  <p class="lesson-task">{tasks[index]}</p>
                  <p class="field-error">{words.legalButWrong}</p>
                </>
              )}
            </div>
          ))}
        </div>
      </figcaption>
      <div class="buttons">
        <button type="button" class="button" disabled={step === 0} onClick={() => goTo(step - 1)}>
          {words.back}
        </button>
        {step < last ? (
          <button type="button" class={task === undefined ? 'button primary' : 'button'} data-testid="lesson-next" onClick={() => goTo(step + 1)}>
            {task === undefined ? words.next : words.showMe}
          </button>
        ) : (
          <button type="button" class="button" onClick={() => goTo(0)}>
            {words.startOver}
          </button>
        )}
      </div>
      <PracticeLink lesson={lesson} title={title} />
    </figure>
  );
}

/** A link to the analysis of the lesson's position. */
function PracticeLink({ lesson, title }: { lesson: Lesson; title: string }): JSX.Element | null {
  const path = '/analysis';
  if (parseAddress({ pathname: path, search: '' }).kind === 'unknown') return null;
  const query = new URLSearchParams({ variant: lesson.variant, fen: lesson.fen });
  return (
    <a class="lesson-practice" href={`${path}?${query.toString()}`}>
      {text.rules.tryOnAnalysisBoard}
      <span class="visually-hidden">: {title}</span>
    </a>
  );
}
