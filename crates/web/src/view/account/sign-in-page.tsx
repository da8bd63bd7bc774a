import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { Credentials } from '../../store/credentials.ts';
import { httpSignInApi, type SignInApi } from '../../store/sign-in-api.ts';
import { errorText } from '../../text/error-text.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { useSubmission } from '../use-submission.ts';
import { PasswordField } from './password-field.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { TextField } from './text-field.tsx';
import { useSignIn } from './use-sign-in.tsx';

/** The page for signing in, with an account or with a recovery key. */
export function SignInPage({ api = httpSignInApi }: { api?: SignInApi }): JSX.Element {
  const words = text.signIn;
  const user = useClient().user.value;
  const { signIn, question } = useSignIn();
  const { value: options, error } = useLoaded(() => api.options(), 'options');
  useTitle(words.title);
  return (
    <main id="content" class="page account-page">
      <div class="page-head">
        <h1>{words.title}</h1>
        {user?.account === true && <p class="quiet">{text.account.signedIn(user.name)}</p>}
      </div>
      <PasswordForm onSignIn={signIn} canReset={options?.password_reset === true} />
      {user?.account !== true && (
        <p>
          {words.noAccount} <a href="/sign-up">{text.account.create}</a>
        </p>
      )}
      {/* These parts appear together with the server's options, so that nothing moves. */}
      {(options !== null || error !== null) && (
        <>
          <ProviderButtons api={api} providers={options?.providers ?? []} />
          <details class="more-settings settings-group">
            <summary data-testid="with-key">{words.withKey}</summary>
            <KeyForm onSignIn={signIn} />
          </details>
        </>
      )}
      {question}
    </main>
  );
}

interface SignInFormProps {
  readonly onSignIn: (credentials: Credentials) => Promise<void>;
}

/** The form for the name and the password of an account. */
function PasswordForm({ onSignIn, canReset }: SignInFormProps & { canReset: boolean }): JSX.Element {
  const words = text.signIn;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { form, isBusy, error, clear, submit } = useSubmission();
  return (
    <form ref={form} class="form settings-group" data-testid="sign-in" onSubmit={(event) => submit(event, () => onSignIn({ name: name.trim(), password }))} onInput={clear}>
      <TextField name="username" label={words.name} autocomplete="username" value={name} error={null} onInput={setName} />
      <PasswordField name="password" label={words.password} autocomplete="current-password" value={password} error={error && signInError(error, words.wrong)} onInput={setPassword} />
      <div class="buttons">
        <button type="submit" class="button primary" data-testid="sign-in-submit" disabled={isBusy}>
          {words.submit}
        </button>
        {canReset && (
          <a data-testid="forgot-password" href="/password-reset">
            {text.passwordReset.link}
          </a>
        )}
      </div>
    </form>
  );
}

/** The form for a recovery key. */
function KeyForm({ onSignIn }: SignInFormProps): JSX.Element {
  const words = text.signIn;
  const [key, setKey] = useState('');
  const { form, isBusy, error, clear, submit } = useSubmission();
  return (
    <form ref={form} class="form" data-testid="sign-in-by-key" onSubmit={(event) => submit(event, () => onSignIn({ recovery_key: key.trim() }))} onInput={clear}>
      <TextField name="recovery-key" label={words.key} autocomplete="off" value={key} error={error && signInError(error, words.wrongKey)} onInput={setKey} />
      <div class="buttons">
        <button type="submit" class="button primary" data-testid="key-submit" disabled={isBusy}>
          {words.submit}
        </button>
      </div>
    </form>
  );
}

/** Returns the text of a failed attempt. `wrong` is the text about wrong credentials. */
function signInError(error: Error, wrong: string): string {
  if (!(error instanceof Refusal)) return errorText(error);
  if (error.code === 'wrong_credentials') return wrong;
  return error.code === 'busy' ? text.signIn.busy : errorText(error);
}
