import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { UserView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';

const STORAGE_KEY = 'quadrex.keepHint';
const DISMISSED = 'dismissed';

/** The hint that a guest may lose its matches, with the ways to keep them. */
export function KeepHint({ user }: { user: UserView }): JSX.Element | null {
  const client = useClient();
  const [isDismissed, setDismissed] = useState(() => client.persistence.get(STORAGE_KEY) === DISMISSED);
  if (isDismissed) return null;
  const words = text.recoveryKey;
  const dismiss = (): void => {
    client.persistence.set(STORAGE_KEY, DISMISSED);
    setDismissed(true);
  };
  return (
    <aside class="card keep-hint" data-testid="keep-hint" aria-labelledby="keep-hint-title">
      <div class="keep-hint-head">
        <h2 id="keep-hint-title">{words.keep}</h2>
        <button type="button" class="icon-button" data-testid="keep-hint-close" aria-label={text.dismiss} onClick={dismiss}>
          ×
        </button>
      </div>
      <p>{words.keepHint(user.name)}</p>
      <div class="buttons">
        <a class="button small" href="/sign-up">
          {text.account.create}
        </a>
        <a class="button small" href="/settings#recovery-key">
          {text.recoveryKey.create}
        </a>
      </div>
    </aside>
  );
}
