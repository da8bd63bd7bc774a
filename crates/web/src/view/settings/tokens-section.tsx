import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { TokenCreated, TokenView, UserView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { LoadError } from '../load-error.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { useLoaded } from '../use-loaded.ts';

/** The section about the tokens with which programs act as the user. */
export function TokensSection({ user }: { user: UserView }): JSX.Element {
  const client = useClient();
  const words = text.tokens;
  const { value, error, set, retry } = useLoaded(async () => (await client.api.tokens()).tokens, user.id);
  const [isCreating, setCreating] = useState(false);
  const [result, setResult] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const revoke = async ({ id, name }: TokenView): Promise<void> => {
    try {
      await client.api.revokeToken(id);
      set((value ?? []).filter((token) => token.id !== id));
      setResult(words.revoked(name));
      heading.current?.focus();
    } catch (failure) {
      client.report(failure);
    }
  };
  const onCreated = ({ details }: TokenCreated): void => {
    set([details, ...(value ?? [])]);
    setResult('');
  };
  return (
    <section class="settings-group" data-testid="tokens" aria-labelledby="tokens-title" aria-busy={value === null && error === null}>
      <h2 id="tokens-title" ref={heading} tabIndex={-1}>
        {words.title}
      </h2>
      <p class="quiet">{words.hint}</p>
      {error !== null && <LoadError error={error} onRetry={retry} />}
      {value !== null && value.length > 0 && (
        <ul class="session-list">
          {value.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => void revoke(token)} />
          ))}
        </ul>
      )}
      <p role="status" data-testid="tokens-result">
        {result}
      </p>
      <button type="button" class="button" data-testid="new-token" disabled={value === null} onClick={() => setCreating(true)}>
        {words.create}
      </button>
      {isCreating && <NewTokenDialog onCreated={onCreated} onClose={() => setCreating(false)} />}
    </section>
  );
}

/** A token in the list. */
function TokenRow({ token, onRevoke }: { token: TokenView; onRevoke: () => void }): JSX.Element {
  const words = text.tokens;
  const { name, scopes, expires_at_ms, seen_at_ms } = token;
  const used = seen_at_ms === undefined ? words.neverUsed : text.sessions.used(text.ago(Date.now() - seen_at_ms));
  const end = expires_at_ms === undefined ? words.neverExpires : words.expires(text.day(expires_at_ms));
  return (
    <li class="session" data-testid="token">
      <span class="session-text">
        <span class="session-name">
          {name}
          {scopes.map((scope) => (
            <span key={scope} class="session-mark">
              {words.scopes[scope]}
            </span>
          ))}
        </span>
        <span class="quiet">{`${used} · ${end}`}</span>
      </span>
      <button type="button" class="button small" data-testid="revoke-token" aria-label={words.revokeOf(name)} onClick={onRevoke}>
        {text.links.revoke}
      </button>
    </li>
  );
}
