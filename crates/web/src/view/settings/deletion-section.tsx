import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { UserView } from '../../protocol/generated.ts';
import { errorText } from '../../text/error-text.ts';
import { text } from '../../text/index.ts';
import { PasswordField } from '../account/password-field.tsx';
import { useClient } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { useSubmission } from '../use-submission.ts';

interface DeletionProps {
  readonly user: UserView;
  /** False for a guest, and for an account that signs in only with other services. */
  readonly hasPassword: boolean;
}

/** The section in which users delete themselves. */
export function DeletionSection({ user, hasPassword }: DeletionProps): JSX.Element {
  const words = text.deletion;
  const [isOpen, setOpen] = useState(false);
  const hasAccount = user.account === true;
  return (
    <section class="settings-group" data-testid="deletion" aria-labelledby="deletion-title">
      <h2 id="deletion-title">{hasAccount ? words.title : words.titleOfGuest}</h2>
      <p class="quiet">{words.hint}</p>
      <button type="button" class="button" data-testid="delete-user" onClick={() => setOpen(true)}>
        {hasAccount ? words.open : words.openForGuest}
      </button>
      {isOpen && <DeletionDialog user={user} hasPassword={hasPassword} onClose={() => setOpen(false)} />}
    </section>
  );
}

/** The question before the deletion, with what is deleted and what stays. */
function DeletionDialog({ user, hasPassword, onClose }: DeletionProps & { onClose: () => void }): JSX.Element {
  const client = useClient();
  const words = text.deletion;
  const [password, setPassword] = useState('');
  const { form, isBusy, error, clear, submit } = useSubmission();
  const message = error === null ? null : deletionError(error);
  return (
    <Dialog title={words.question(user.name)} onClose={onClose}>
      <p>{words.goes}</p>
      <p>{words.stays}</p>
      <p>{words.exportFirst}</p>
      <form ref={form} class="form" data-testid="deletion-form" onSubmit={(event) => submit(event, () => client.deleteUser(hasPassword ? password : undefined))} onInput={clear}>
        {hasPassword ? (
          <PasswordField name="deletion-password" label={text.account.currentPassword} autocomplete="current-password" value={password} error={message} onInput={setPassword} />
        ) : (
          <p class="field-error" role="alert">
            {message}
          </p>
        )}
        <div class="buttons align-end">
          <button type="button" class="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button type="submit" class="button danger" data-testid="deletion-confirm" disabled={isBusy}>
            {words.confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Returns the text of an error of the deletion. */
function deletionError(error: Error): string {
  return error instanceof Refusal && error.code === 'wrong_credentials' ? text.account.wrongPassword : errorText(error);
}
