import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { Choice, FieldError, Option } from '../fields.tsx';
import { messageFor, type FieldProblem } from './field-problem.ts';
import type { RatedObstacle } from './rated-tables.ts';

interface RatedChoiceProps {
  readonly isRated: boolean;
  /** The reason why the table cannot be rated; `null` if it can be. */
  readonly obstacle: RatedObstacle | null;
  /** The sentence about the wait before the next rated match, if there is one. */
  readonly wait: string | null;
  readonly error: FieldProblem | null;
  readonly onChange: (isRated: boolean) => void;
}

/** The choice between a casual and a rated table. If the table cannot be rated, a hint says why. */
export function RatedChoice({ isRated, obstacle, wait, error, onChange }: RatedChoiceProps): JSX.Element {
  const words = text.newTableDialog;
  return (
    <div class="rated-choice">
      <Choice legend={text.settings.labels.rated} columns={2} describedBy="rated-hint">
        <Option group="rated" value="casual" checked={!isRated} onPick={() => onChange(false)}>
          <span>{text.settings.casual}</span>
          <small>{words.casualHint}</small>
        </Option>
        <Option group="rated" value="rated" checked={isRated} disabled={obstacle !== null} onPick={() => onChange(true)}>
          <span>{text.settings.rated}</span>
          <small>{words.ratedHint}</small>
        </Option>
      </Choice>
      <p id="rated-hint" class="quiet" data-testid="rated-hint" data-obstacle={obstacle}>
        {obstacle === 'wait' ? wait : obstacle !== null && words.ratedObstacles[obstacle]}
        {obstacle === 'account' && (
          <>
            {' '}
            <a href="/sign-up" data-testid="rated-sign-up">
              {text.account.create}
            </a>
          </>
        )}
      </p>
      <FieldError name="rated" error={messageFor(error, 'rated')} />
    </div>
  );
}
