import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { UserView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { LoadError } from '../load-error.tsx';
import { RelationButton } from '../people/relation-button.tsx';
import { useLoaded } from '../use-loaded.ts';
import { UserName } from '../user-name.tsx';

const KINDS = ['blocks', 'mutes'] as const;

/** The section with the blocked and muted users. */
export function HiddenUsersSection({ user }: { user: UserView }): JSX.Element {
  const { relations } = useClient();
  const words = text.people;
  const { value, error, retry } = useLoaded(async () => {
    await relations.load();
    return true;
  }, user.id);
  const [result, setResult] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section class="settings-group" data-testid="hidden-users" aria-labelledby="hidden-users-title" aria-busy={value === null && error === null}>
      <h2 id="hidden-users-title" ref={heading} tabIndex={-1}>
        {words.listTitle}
      </h2>
      <p class="quiet">{words.listHint}</p>
      {error !== null && <LoadError error={error} onRetry={retry} />}
      {KINDS.filter((kind) => relations[kind].value.length > 0).map((kind) => (
        <div key={kind}>
          <h3>{words[kind].list}</h3>
          <ul class="hidden-users" data-testid={`list-${kind}`}>
            {relations[kind].value.map((one) => (
              <li key={one.user.id} class="session">
                <a class="session-text" href={`/u/${one.user.id}`}>
                  <UserName user={one.user} />
                </a>
                <RelationButton
                  kind={kind}
                  user={one.user}
                  isSmall
                  onDone={(done) => {
                    setResult(done);
                    heading.current?.focus();
                  }}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p role="status" data-testid="hidden-users-result">
        {result}
      </p>
    </section>
  );
}
