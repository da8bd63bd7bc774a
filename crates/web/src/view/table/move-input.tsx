import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { parseQuery } from '../../store/table-queries.ts';
import { isActive, type TableState } from '../../store/table.ts';
import { en } from '../../text/en/index.ts';
import { text } from '../../text/index.ts';
import { TypedForm } from '../typed-form.tsx';
import { answer, unclear } from './answers.ts';
import type { Playing } from './playing.ts';

/** A question, and the lines of its answer. */
interface Answered {
  readonly number: number;
  readonly asked: string;
  readonly lines: readonly string[];
}

/** Space above the answer that is read, CSS pixels. */
const TOP_PX = 8;
/** So many answers are kept. */
const KEPT = 12;

interface MoveInputProps {
  readonly playing: Playing;
  readonly state: TableState;
}

/**
 * Input of moves, `h2h4` or as the move list writes them, and of questions about the table with
 * answers to be read or heard. While the viewer looks back at the past, the answers are about the
 * present.
 */
export function MoveInput({ playing, state }: MoveInputProps): JSX.Element | null {
  const [answers, setAnswers] = useState<readonly Answered[]>([]);
  if (state.state.phase === 'open') return null;
  const plays = state.you !== null && state.state.phase === 'running' && isActive(state, state.you);

  const onType = (typed: string): string | null => {
    const asked = typed.trim();
    const question = parseQuery(asked, [text, en].map(({ queries, colors, roles }) => ({ commands: queries.commands, colors, roles })));
    if (question === null) return playing.playTyped(typed);
    if ('unclear' in question) return unclear(question.unclear);
    const lines = answer(question, state, performance.now());
    setAnswers((before) => [...before, { number: (before.at(-1)?.number ?? 0) + 1, asked, lines }].slice(-KEPT));
    return null;
  };

  const go = (
    <span class="swap-label" data-second={!plays}>
      <span>{text.play.go}</span>
      <span>{text.queries.go}</span>
    </span>
  );
  return (
    <TypedForm
      id="move-input"
      label={plays ? text.queries.input : text.queries.watching}
      hint={plays ? text.queries.hint : text.queries.hintWatching}
      buttonLabel={go}
      onSubmit={onType}
    >
      <Answers answers={answers} onClose={() => setAnswers([])} />
    </TypedForm>
  );
}

/**
 * Questions and answers, the newest scrolled to its beginning. The element exists before it has
 * content, so that everything is read out.
 */
function Answers({ answers, onClose }: { answers: readonly Answered[]; onClose: () => void }): JSX.Element {
  const log = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const newest = log.current?.lastElementChild;
    if (log.current !== null && newest instanceof HTMLElement) log.current.scrollTop = newest.offsetTop - TOP_PX;
  }, [answers]);
  return (
    <div class="query-log" data-any={answers.length > 0}>
      <div ref={log} class="query-log-entries" role="log" aria-live="polite" aria-label={text.queries.log} tabIndex={answers.length > 0 ? 0 : -1} data-testid="answers">
        {answers.map(({ number, asked, lines }) => (
          <div key={number} class="query">
            <p class="query-question">{asked}</p>
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
