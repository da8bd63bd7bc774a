import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import { text } from '../../text/index.ts';
import { TextField } from '../account/text-field.tsx';
import { MAX_NAME_LENGTH } from '../name-form.tsx';
import { useSubmission } from '../use-submission.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import type { UserActionProps } from './user-actions.tsx';

/** The dialog in which an operator changes the name of a user. */
export function RenameDialog({ api, details, onDone, onClose }: UserActionProps & { onClose: () => void }): JSX.Element {
  const words = text.admin;
  const { user } = details;
  const [name, setName] = useState('');
  const submission = useSubmission();
  const error = submission.error === null ? null : nameError(submission.error);
  return (
    <ReasonDialog
      title={words.questions.rename(user.name)}
      confirmLabel={words.actions.rename}
      hint={words.hints.rename}
      submission={submission}
      isErrorElsewhere={error !== null}
      onSubmit={async (reason) => {
        const changed = await api.rename(user.id, { name: name.trim(), reason });
        onDone(changed, words.done.rename(changed.user.name));
      }}
      onClose={onClose}
    >
      <TextField name="new-name" label={words.newName} autocomplete="off" maxLength={MAX_NAME_LENGTH} value={name} error={error} onInput={setName} />
    </ReasonDialog>
  );
}

/** Returns the text of an error about the name. A reason from the form is never refused. */
function nameError(error: Error): string | null {
  if (!(error instanceof Refusal)) return null;
  if (error.code === 'name_taken') return text.account.nameTaken;
  return error.code === 'bad_setting' ? text.ownName.unavailable : null;
}
