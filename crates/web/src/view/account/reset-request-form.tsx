import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { SignInApi } from '../../store/sign-in-api.ts';
import { errorText } from '../../text/error-text.ts';
import { text } from '../../text/index.ts';
import { currentLanguage } from '../../text/languages.ts';
import { FocusedResult } from '../focused-result.tsx';
import { MAX_NAME_LENGTH } from '../name-form.tsx';
import { useSubmission } from '../use-submission.ts';
import { TextField } from './text-field.tsx';

interface ResetRequestProps {
  readonly api: SignInApi;
  /** Set if the user has opened a link that is not valid any more. */
  readonly isAfterInvalidLink: boolean;
}

/** The form for a link by mail with which the user sets a new password. */
export function ResetRequestForm({ api, isAfterInvalidLink }: ResetRequestProps): JSX.Element {
  const words = text.passwordReset;
  const [name, setName] = useState('');
  const [isSent, setSent] = useState(false);
  const { form, isBusy, error, clear, submit } = useSubmission();
  const request = async (): Promise<void> => {
    await api.requestReset(name.trim(), currentLanguage());
    setSent(true);
  };
  if (isSent) {
    return (
      <>
        <FocusedResult testId="reset-sent">{words.sent(name.trim())}</FocusedResult>
        <p class="quiet">{words.withoutMail}</p>
        <div class="buttons">
          <a class="button" href="/sign-in">
            {text.signIn.title}
          </a>
        </div>
      </>
    );
  }
  return (
    <>
      {isAfterInvalidLink && (
        <FocusedResult testId="reset-invalid" isError>
          {words.invalidLink}
        </FocusedResult>
      )}
      <form ref={form} class="form settings-group" data-testid="reset-request" onSubmit={(event) => submit(event, request)} onInput={clear}>
        <TextField name="username" label={text.signIn.name} autocomplete="username" maxLength={MAX_NAME_LENGTH} value={name} hint={words.hint} error={error && requestError(error)} onInput={setName} />
        <div class="buttons">
          <button type="submit" class="button primary" data-testid="reset-submit" disabled={isBusy}>
            {words.send}
          </button>
        </div>
      </form>
      <p class="quiet">{words.withoutMail}</p>
    </>
  );
}

/** Returns the text of a failed request. */
function requestError(error: Error): string {
  return error instanceof Refusal && error.code === 'forbidden' ? text.passwordReset.notOffered : errorText(error);
}
