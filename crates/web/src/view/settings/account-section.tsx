import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { UserView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { ChangePasswordDialog } from './change-password.tsx';

interface AccountSectionProps {
  readonly user: UserView;
  /** False for an account that signs in only with other services. */
  readonly hasPassword: boolean;
  /** Called after such an account has got a password. */
  readonly onPasswordSet: () => void;
  /** Called after a change that has ended sessions of the user. */
  readonly onSessionsEnded: () => void;
}

/** The section about the user's account. A guest finds the ways to an account there. */
export function AccountSection({ user, hasPassword, onPasswordSet, onSessionsEnded }: AccountSectionProps): JSX.Element {
  const client = useClient();
  const words = text.account;
  const [isChanging, setChanging] = useState(false);
  const [result, setResult] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const signOut = (): void => void client.signOut().catch((failure: unknown) => client.report(failure));
  return (
    <section class="settings-group" data-testid="account" aria-labelledby="account-title">
      <h2 id="account-title" ref={heading} tabIndex={-1}>
        {words.title}
      </h2>
      <p>{user.account === true ? words.signedIn(user.name) : words.guest(user.name)}</p>
      <div class="buttons">
        {user.account === true ? (
          <>
            <button type="button" class="button" data-testid="change-password" onClick={() => setChanging(true)}>
              {hasPassword ? words.changePassword : text.providers.setPassword}
            </button>
            <button type="button" class="button" data-testid="sign-out" onClick={signOut}>
              {text.sessions.signOut}
            </button>
          </>
        ) : (
          <>
            <a class="button primary" href="/sign-up">
              {words.create}
            </a>
            <a class="button" href="/sign-in">
              {text.signIn.title}
            </a>
          </>
        )}
      </div>
      <p role="status" data-testid="account-result">
        {result}
      </p>
      {isChanging && (
        <ChangePasswordDialog
          user={user}
          hasPassword={hasPassword}
          onClose={() => setChanging(false)}
          onDone={(ended) => {
            setChanging(false);
            setResult(hasPassword ? words.passwordChanged(ended) : text.providers.passwordSet);
            if (!hasPassword) onPasswordSet();
            onSessionsEnded();
          }}
        />
      )}
    </section>
  );
}
