import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { httpSignInApi, type SignInApi } from '../../store/sign-in-api.ts';
import { text } from '../../text/index.ts';
import { useMailSecret } from '../mail/use-mail-secret.ts';
import { useTitle } from '../title.ts';
import { NewPasswordForm } from './new-password-form.tsx';
import { ResetRequestForm } from './reset-request-form.tsx';

/**
 * The page for a forgotten password: a form for a link by mail, and a form for the new password
 * after the link was opened.
 */
export function PasswordResetPage({ api = httpSignInApi }: { api?: SignInApi }): JSX.Element {
  const words = text.passwordReset;
  const secret = useMailSecret();
  /** The secret that the server does not know, or not any more. */
  const [invalid, setInvalid] = useState('');
  useTitle(words.title);
  return (
    <main id="content" class="page account-page">
      <div class="page-head">
        <h1>{words.title}</h1>
      </div>
      {secret === '' || secret === invalid ? (
        <ResetRequestForm api={api} isAfterInvalidLink={secret !== ''} />
      ) : (
        <NewPasswordForm key={secret} api={api} secret={secret} onInvalidLink={() => setInvalid(secret)} />
      )}
    </main>
  );
}
