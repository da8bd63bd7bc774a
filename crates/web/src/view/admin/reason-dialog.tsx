import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import { errorText } from '../../text/error-text.ts';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { FieldError } from '../fields.tsx';
import type { Submission } from '../use-submission.ts';

/** The longest reason, in characters (docs/PROTOCOL.md, "Operators"). */
const MAX_LENGTH = 500;

interface ReasonDialogProps {
  readonly title: string;
  readonly confirmLabel: string;
  /** The effect of the action. */
  readonly hint: string;
  /** The label of the field; “Reason” by default. */
  readonly label?: string;
  /** The readers of the reason. */
  readonly reasonHint?: string;
  readonly submission: Submission;
  /** Set if another field shows the error of the submission. */
  readonly isErrorElsewhere?: boolean;
  /** Performs the action. The reason is one line. */
  readonly onSubmit: (reason: string) => Promise<void>;
  readonly onClose: () => void;
  /** Further fields. */
  readonly children?: ComponentChildren;
}

/** The question before an action of an operator, which needs a reason. */
export function ReasonDialog(props: ReasonDialogProps): JSX.Element {
  const { title, confirmLabel, hint, label = text.admin.reason, reasonHint = text.admin.reasonLogged, submission, isErrorElsewhere = false, onSubmit, onClose, children } = props;
  const [typed, setTyped] = useState('');
  const { form, isBusy, error, clear, submit } = submission;
  const reasonError = error === null || isErrorElsewhere ? null : actionError(error);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{hint}</p>
      <form ref={form} class="form" data-testid="reason-form" onSubmit={(event) => submit(event, () => onSubmit(typed.trim().replace(/\s+/g, ' ')))} onInput={clear}>
        {children}
        <div class="field">
          <label for="set-reason">{label}</label>
          <textarea
            id="set-reason"
            class="input"
            data-testid="reason-input"
            rows={3}
            required
            maxLength={MAX_LENGTH}
            value={typed}
            aria-invalid={reasonError !== null}
            aria-describedby="wrong-reason hint-reason"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <FieldError name="reason" error={reasonError} />
          <p class="quiet" id="hint-reason">
            {reasonHint}
          </p>
        </div>
        <div class="buttons align-end">
          <button type="button" class="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button type="submit" class="button danger" data-testid="reason-submit" disabled={isBusy}>
            {confirmLabel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Returns the text of an error of an action. */
function actionError(error: Error): string {
  return error instanceof Refusal && error.code === 'forbidden' ? text.admin.isProtected : errorText(error);
}
