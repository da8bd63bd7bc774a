import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import { isInvalidLink } from '../../store/mail-secret.ts';
import type { SignInApi } from '../../store/sign-in-api.ts';
import { errorText } from '../../text/error-text.ts';
import { text } from '../../text/index.ts';
import { FocusedResult } from '../focused-result.tsx';
import { useSubmission } from '../use-submission.ts';
import { PasswordField } from './password-field.tsx';

interface NewPasswordProps {
  readonly api: SignInApi;
  /** The secret of the link in the mail. */
  readonly secret: string;
  /** Called if the link is not valid any more. */
  readonly onInvalidLink: () => void;
}

/** The form for a new password in place of a forgotten one. */
export function NewPasswordForm({ api, secret, onInvalidLink }: NewPasswordProps): JSX.Element {
  const words = text.passwordReset;
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  const { form, isBusy, error, clear, submit } = useSubmission();
  const reset = async (): Promise<void> => {
    try {
      await api.resetPassword(secret, password);
      setDone(true);
    } catch (failure) {
      if (!(failure instanceof Error) || !isInvalidLink(failure)) throw failure;
      onInvalidLink();
    }
  };
  if (isDone) {
    return (
      <>
        <FocusedResult testId="reset-done">{words.done}</FocusedResult>
        <div class="buttons">
          <a class="button primary" href="/sign-in">
            {text.signIn.title}
          </a>
        </div>
      </>
    );
  }
  return (
    <form ref={form} class="form settings-group" data-testid="new-password" onSubmit={(event) => submit(event, reset)} onInput={clear}>
      <PasswordField
        name="new-password"
        label={text.account.newPassword}
        autocomplete="new-password"
        value={password}
        hint={`${text.account.passwordHint} ${words.endsSessions}`}
        error={error && passwordError(error)}
        onInput={setPassword}
      />
      <div class="buttons">
        <button type="submit" class="button primary" data-testid="new-password-submit" disabled={isBusy}>
          {words.save}
        </button>
      </div>
    </form>
  );
}

/** Returns the text of a refused password. */
function passwordError(error: Error): string {
  if (!(error instanceof Refusal)) return errorText(error);
  if (error.code === 'invalid_password') return text.account.invalidPassword;
  return error.code === 'busy' ? text.signIn.busy : errorText(error);
}
