import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { UserView } from '../../protocol/generated.ts';
import { httpSignInApi, type SignInApi } from '../../store/sign-in-api.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { MAX_NAME_LENGTH } from '../name-form.tsx';
import { goTo } from '../router.ts';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { useSubmission } from '../use-submission.ts';
import { newNameError } from './new-name-error.ts';
import { PasswordField } from './password-field.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { TextField } from './text-field.tsx';

/** The page on which a guest creates an account. */
export function SignUpPage({ api = httpSignInApi }: { api?: SignInApi }): JSX.Element {
  const words = text.account;
  const client = useClient();
  const user = client.user.value;
  const isSignedOut = client.signedOutUser.value !== null;
  const { value: options } = useLoaded(() => api.options(), 'options');
  useTitle(words.create);
  return (
    <main id="content" class="page account-page" aria-busy={user === null && !isSignedOut}>
      <div class="page-head">
        <h1>{words.create}</h1>
        {user !== null && <p class="quiet">{user.account === true ? words.already : words.createHint(user.name)}</p>}
      </div>
      {isSignedOut && (
        <p>
          {words.haveOne} <a href="/sign-in">{text.signIn.title}</a>
        </p>
      )}
      {user !== null &&
        (user.account === true ? (
          <a class="button" href="/settings">
            {words.toSettings}
          </a>
        ) : (
          <>
            <AccountForm key={user.id} user={user} />
            <p>
              {words.haveOne} <a href="/sign-in">{text.signIn.title}</a>
            </p>
            {options !== null && <ProviderButtons api={api} providers={options.providers} />}
          </>
        ))}
    </main>
  );
}

/** The form for the name and the password of a new account. */
function AccountForm({ user }: { user: UserView }): JSX.Element {
  const client = useClient();
  const words = text.account;
  const [name, setName] = useState(user.name);
  const [password, setPassword] = useState('');
  const { form, isBusy, error, clear, submit } = useSubmission();
  const isAboutPassword = error instanceof Refusal && error.code === 'invalid_password';
  const create = async (): Promise<void> => {
    await client.createAccount({ name: name.trim().replace(/\s+/g, ' '), password });
    goTo(`/u/${user.id}`);
  };
  return (
    <form ref={form} class="form settings-group" data-testid="sign-up" onSubmit={(event) => submit(event, create)} onInput={clear}>
      <TextField
        name="username"
        label={text.ownName.label}
        autocomplete="username"
        maxLength={MAX_NAME_LENGTH}
        value={name}
        hint={words.nameHint}
        error={error === null || isAboutPassword ? null : newNameError(error)}
        onInput={setName}
      />
      <PasswordField
        name="password"
        label={text.signIn.password}
        autocomplete="new-password"
        value={password}
        hint={words.passwordHint}
        error={isAboutPassword ? words.invalidPassword : null}
        onInput={setPassword}
      />
      <div class="buttons">
        <button type="submit" class="button primary" data-testid="sign-up-submit" disabled={isBusy}>
          {words.submit}
        </button>
      </div>
    </form>
  );
}
