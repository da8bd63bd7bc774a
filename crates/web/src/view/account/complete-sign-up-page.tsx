import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { ProviderSignUp } from '../../protocol/generated.ts';
import { httpSignInApi, type SignInApi } from '../../store/sign-in-api.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { FocusedResult } from '../focused-result.tsx';
import { LoadError } from '../load-error.tsx';
import { MAX_NAME_LENGTH } from '../name-form.tsx';
import { goTo } from '../router.ts';
import { useTitle } from '../title.ts';
import { useLoaded } from '../use-loaded.ts';
import { useSubmission } from '../use-submission.ts';
import { newNameError } from './new-name-error.ts';
import { TextField } from './text-field.tsx';

/** The page on which a guest who has signed in with another service names the new account. */
export function CompleteSignUpPage({ api = httpSignInApi }: { api?: SignInApi }): JSX.Element {
  const client = useClient();
  const words = text.providers;
  const user = client.user.value;
  const { value, error, retry } = useLoaded(async () => {
    await client.untilSessionKnown();
    const [signUp, { providers }] = await Promise.all([api.providerSignUp(), api.options()]);
    return { signUp, service: providers.find(({ id }) => id === signUp.provider)?.name ?? signUp.provider };
  }, 'sign-up');
  const [hasExpired, setExpired] = useState(false);
  const isExpired = hasExpired || (error instanceof Refusal && error.code === 'not_found');
  useTitle(text.ownName.title);
  return (
    <main id="content" class="page account-page" aria-busy={value === null && error === null}>
      <div class="page-head">
        <h1>{text.ownName.title}</h1>
        {value !== null && <p class="quiet">{words.completeHint(value.service)}</p>}
      </div>
      {error !== null && !isExpired && <LoadError error={error} onRetry={retry} />}
      {isExpired && (
        <>
          <FocusedResult testId="sign-up-expired" isError>
            {words.expired}
          </FocusedResult>
          <div class="buttons">
            <a class="button" href="/sign-in">
              {text.signIn.title}
            </a>
          </div>
        </>
      )}
      {value !== null && !isExpired && <NewNameForm api={api} signUp={value.signUp} guest={user?.name} onExpired={() => setExpired(true)} />}
      {value !== null && !isExpired && (
        <p>
          {words.hasAccount(value.service)} <a href="/sign-in">{text.signIn.title}</a>
        </p>
      )}
    </main>
  );
}

interface NewNameProps {
  readonly api: SignInApi;
  readonly signUp: ProviderSignUp;
  /** The name of the guest, who gets the account. */
  readonly guest: string | undefined;
  /** Called if the sign-in has expired meanwhile. */
  readonly onExpired: () => void;
}

/** The form for the name of the new account. It starts with the suggested name, if there is one. */
function NewNameForm({ api, signUp, guest, onExpired }: NewNameProps): JSX.Element {
  const client = useClient();
  const [name, setName] = useState(signUp.name.slice(0, MAX_NAME_LENGTH));
  const { form, isBusy, error, clear, submit } = useSubmission();
  const create = async (): Promise<void> => {
    try {
      await client.becomeAccount(() => api.completeSignUp(name.trim().replace(/\s+/g, ' ')));
      goTo('/');
    } catch (failure) {
      if (!(failure instanceof Refusal) || failure.code !== 'not_found') throw failure;
      onExpired();
    }
  };
  return (
    <form ref={form} class="form settings-group" data-testid="complete-sign-up" onSubmit={(event) => submit(event, create)} onInput={clear}>
      <TextField name="username" label={text.ownName.label} autocomplete="username" maxLength={MAX_NAME_LENGTH} value={name} hint={text.providers.nameHint} error={error && newNameError(error)} onInput={setName} />
      {guest !== undefined && <p class="quiet">{text.account.createHint(guest)}</p>}
      <div class="buttons">
        <button type="submit" class="button primary" data-testid="complete-submit" disabled={isBusy}>
          {text.account.submit}
        </button>
      </div>
    </form>
  );
}
