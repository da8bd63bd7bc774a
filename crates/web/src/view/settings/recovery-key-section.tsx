import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { UserView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { LoadError } from '../load-error.tsx';
import { RecoveryKeyDialog } from './recovery-key-dialog.tsx';
import type { Loaded } from '../use-loaded.ts';

/** A key that has just been created. */
interface NewKey {
  readonly secret: string;
  /** Set if it has replaced an earlier key. */
  readonly isReplacement: boolean;
}

interface RecoveryKeyProps {
  readonly user: UserView;
  /** Set if the user has a key. */
  readonly hasKey: Loaded<boolean>;
}

/** The id of the section, for links to it. */
const ID = 'recovery-key';

/** The section about the recovery key, with which the user signs in without this browser's data. */
export function RecoveryKeySection({ user, hasKey }: RecoveryKeyProps): JSX.Element {
  const client = useClient();
  const words = text.recoveryKey;
  const { value: exists, error, set, retry } = hasKey;
  const [shown, show] = useState<NewKey | null>(null);
  const [result, setResult] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (location.hash === `#${ID}`) section.current?.scrollIntoView();
  }, []);
  const attempt = (action: () => Promise<void>): void => void action().catch((failure: unknown) => client.report(failure));
  const create = (): void =>
    attempt(async () => {
      const { recovery_key: secret } = await client.api.createRecoveryKey();
      show({ secret, isReplacement: exists === true });
      set(true);
      setResult('');
    });
  const remove = (): void =>
    attempt(async () => {
      await client.api.removeRecoveryKey();
      set(false);
      setResult(words.removed);
      heading.current?.focus();
    });
  return (
    <section ref={section} class="settings-group" data-testid="recovery-key" aria-labelledby="recovery-key-title" aria-busy={exists === null && error === null}>
      <h2 id="recovery-key-title" ref={heading} tabIndex={-1} data-arrival={location.hash === `#${ID}` ? '' : undefined}>
        {words.title}
      </h2>
      <p class="quiet">{words.hint(user.name)}</p>
      {error !== null && <LoadError error={error} onRetry={retry} />}
      {/* The buttons are there from the beginning, so that nothing moves when they can be used. */}
      <div class="buttons">
        <button type="button" class="button" data-testid="create-key" disabled={exists === null} onClick={create}>
          {exists === true ? words.renew : words.create}
        </button>
        {exists === true && (
          <button type="button" class="button" data-testid="remove-key" onClick={remove}>
            {words.remove}
          </button>
        )}
      </div>
      <p role="status" data-testid="key-result">
        {result}
      </p>
      {shown !== null && <RecoveryKeyDialog user={user} {...shown} onClose={() => show(null)} />}
    </section>
  );
}
