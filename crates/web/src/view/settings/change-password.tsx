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

interface ChangePasswordProps {
  readonly user: UserView;
  /** False for an account without a password, which gets its first one. */
  readonly hasPassword: boolean;
  readonly onClose: () => void;
  /** Called after the change, with the number of sessions that it has ended. */
  readonly onDone: (ended: number) => void;
}

/** The dialog for changing the password of the user's account, or for setting the first one. */
export function ChangePasswordDialog({ user, hasPassword, onClose, onDone }: ChangePasswordProps): JSX.Element {
  const client = useClient();
  const words = text.account;
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { form, isBusy, error, clear, submit } = useSubmission();
  const title = hasPassword ? words.changePassword : text.providers.setPassword;
  const isAboutNew = !hasPassword || (error instanceof Refusal && error.code === 'invalid_password');
  const change = async (): Promise<void> => onDone((await client.api.changePassword({ new: next, ...(hasPassword ? { current } : {}) })).ended);
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} class="form" data-testid="password-form" onSubmit={(event) => submit(event, change)} onInput={clear}>
        {/* Password managers find the account by this field. */}
        <input class="visually-hidden" name="username" autocomplete="username" readOnly tabIndex={-1} aria-hidden="true" value={user.name} />
        {hasPassword && (
          <PasswordField
            name="current-password"
            label={words.currentPassword}
            autocomplete="current-password"
            value={current}
            error={error === null || isAboutNew ? null : currentError(error)}
            onInput={setCurrent}
          />
        )}
        <PasswordField
          name="new-password"
          label={words.newPassword}
          autocomplete="new-password"
          value={next}
          hint={words.passwordHint}
          error={error !== null && isAboutNew ? newError(error) : null}
          onInput={setNext}
        />
        <div class="buttons align-end">
          <button type="submit" class="button primary" data-testid="password-submit" disabled={isBusy}>
            {title}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Returns the text of an error that is shown at the current password. */
function currentError(error: Error): string {
  if (!(error instanceof Refusal)) return errorText(error);
  if (error.code === 'wrong_credentials') return text.account.wrongPassword;
  return error.code === 'busy' ? text.signIn.busy : errorText(error);
}

/** Returns the text of an error that is shown at the new password. */
function newError(error: Error): string {
  return error instanceof Refusal && error.code === 'invalid_password' ? text.account.invalidPassword : currentError(error);
}
