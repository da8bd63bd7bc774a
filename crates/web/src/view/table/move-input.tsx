import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { parseQuery } from '../../store/table-queries.ts';
import { isActive, type TableState } from '../../store/table.ts';
import { en } from '../../text/en/index.ts';
import { text } from '../../text/index.ts';
import { TypedForm } from '../typed-form.tsx';
import { answerQuery, usageHint } from './query-answers.ts';
import type { MoveInputState } from './move-input-state.ts';

/** A query and the lines of its answer. */
interface AnsweredQuery {
  readonly number: number;
  readonly query: string;
  readonly lines: readonly string[];
}

/** The space above the newest answer, in CSS pixels. */
const TOP_PX = 8;
/** The number of answers in the log. */
const MAX_ANSWERS = 12;

interface MoveInputProps {
  readonly input: MoveInputState;
  readonly state: TableState;
}

/**
 * The text field for moves, such as `h2h4` or as in the move list, and for queries about the table.
 * The answers are displayed and announced. They are about the latest position, even while an
 * earlier position is displayed.
 */
export function MoveInput({ input, state }: MoveInputProps): JSX.Element | null {
  const [answers, setAnswers] = useState<readonly AnsweredQuery[]>([]);
  // Answers are about a running match, so they are removed when the match is over.
  const isRunning = state.state.phase === 'running';
  useEffect(() => {
    if (!isRunning) setAnswers([]);
  }, [isRunning]);
  if (state.state.phase === 'open') return null;
  const isPlaying = state.viewerSeat !== null && state.state.phase === 'running' && isActive(state, state.viewerSeat);

  const onSubmit = (typed: string): string | null => {
    const trimmed = typed.trim();
    const query = parseQuery(trimmed, [text, en].map(({ queries, colors, roles }) => ({ commands: queries.commands, colors, roles })));
    if (query === null) return input.playTyped(typed);
    if ('unclear' in query) return usageHint(query.unclear);
    const lines = answerQuery(query, state, performance.now());
    setAnswers((before) => [...before, { number: (before.at(-1)?.number ?? 0) + 1, query: trimmed, lines }].slice(-MAX_ANSWERS));
    return null;
  };

  const buttonLabel = (
    <span class="swap-label" data-second={!isPlaying}>
      <span>{text.play.submit}</span>
      <span>{text.queries.submit}</span>
    </span>
  );
  return (
    <TypedForm
      id="move-input"
      label={isPlaying ? text.queries.input : text.queries.watching}
      hint={isPlaying ? text.queries.hint : text.queries.hintWatching}
      buttonLabel={buttonLabel}
      onSubmit={onSubmit}
    >
      <AnswerLog answers={answers} onClose={() => setAnswers([])} />
    </TypedForm>
  );
}

/**
 * The queries and answers, scrolled to the newest one. The element exists before its content, so
 * that screen readers announce everything.
 */
function AnswerLog({ answers, onClose }: { answers: readonly AnsweredQuery[]; onClose: () => void }): JSX.Element {
  const log = useRef<HTMLDivElement>(null);
  const isOpen = answers.length > 0;
  // Escape closes the answers wherever the focus is, unless a dialog is open, which handles Escape
  // itself.
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) onClose();
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  });
  useLayoutEffect(() => {
    const newest = log.current?.lastElementChild;
    if (log.current !== null && newest instanceof HTMLElement) log.current.scrollTop = newest.offsetTop - TOP_PX;
  }, [answers]);
  return (
    <div class="query-log" data-any={answers.length > 0}>
      <div ref={log} class="query-log-entries" role="log" aria-live="polite" aria-label={text.queries.log} tabIndex={answers.length > 0 ? 0 : -1} data-testid="answers">
        {answers.map(({ number, query, lines }) => (
          <div key={number} class="query">
            <p class="query-question">{query}</p>
            {lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        ))}
      </div>
      {answers.length > 0 && (
        <button type="button" class="icon-button" aria-label={text.queries.close} title={text.queries.close} data-testid="answers-close" onClick={onClose}>
          ×
        </button>
      )}
    </div>
  );
}
