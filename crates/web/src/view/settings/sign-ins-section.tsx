import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { ConnectedProvider, SignInProvider, SignIns } from '../../protocol/generated.ts';
import type { SignInApi } from '../../store/sign-in-api.ts';
import { text } from '../../text/index.ts';
import { openProvider } from '../account/open-provider.ts';
import { useClient } from '../context.ts';
import { useLoaded, type Loaded } from '../use-loaded.ts';

interface SignInsProps {
  readonly api: SignInApi;
  /** The ways in which the user signs in. */
  readonly signIns: Loaded<SignIns>;
}

/** The section about the other services with which the user signs in. */
export function SignInsSection({ api, signIns: { value, set } }: SignInsProps): JSX.Element | null {
  const client = useClient();
  const words = text.providers;
  const { value: options } = useLoaded(() => api.options(), 'options');
  const [result, setResult] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  if (value === null || options === null) return null;
  const connected = value.providers;
  // A service that the server does not offer any more can still be disconnected.
  const offered = [...options.providers.filter(({ id }) => connected.every((one) => one.id !== id)), ...connected].toSorted((a, b) => a.name.localeCompare(b.name));
  if (offered.length === 0) return null;
  const attempt = (action: () => Promise<void>): void => void action().catch((failure: unknown) => client.report(failure));
  const disconnect = async ({ id, name }: SignInProvider): Promise<void> => {
    try {
      await api.disconnect(id);
      set({ ...value, providers: connected.filter((one) => one.id !== id) });
      setResult(words.disconnected(name));
      heading.current?.focus();
    } catch (failure) {
      if (!(failure instanceof Refusal) || failure.code !== 'last_sign_in') throw failure;
      setResult(words.lastSignIn);
    }
  };
  return (
    <section class="settings-group" data-testid="sign-ins" aria-labelledby="sign-ins-title">
      <h2 id="sign-ins-title" ref={heading} tabIndex={-1}>
        {words.title}
      </h2>
      <p class="quiet">{words.hint}</p>
      <ul class="session-list">
        {offered.map((provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            connection={connected.find(({ id }) => id === provider.id)}
            onConnect={() => attempt(() => openProvider(api, provider.id, { return_to: '/settings', connect: true }))}
            onDisconnect={() => attempt(() => disconnect(provider))}
          />
        ))}
      </ul>
      <p role="status" data-testid="sign-ins-result">
        {result}
      </p>
    </section>
  );
}

interface ProviderRowProps {
  readonly provider: SignInProvider;
  /** The user's account of the service; absent if none is connected. */
  readonly connection: ConnectedProvider | undefined;
  readonly onConnect: () => void;
  readonly onDisconnect: () => void;
}

/** A service in the list. */
function ProviderRow({ provider: { id, name }, connection, onConnect, onDisconnect }: ProviderRowProps): JSX.Element {
  const words = text.providers;
  return (
    <li class="session" data-testid={`provider-${id}`} data-connected={connection !== undefined}>
      <span class="session-text">
        <span class="session-name">{name}</span>
        <span class="quiet">{connection === undefined ? words.notConnected : connectionText(connection)}</span>
      </span>
      {connection === undefined ? (
        <button type="button" class="button small" data-testid={`connect-${id}`} aria-label={words.connectOf(name)} onClick={onConnect}>
          {words.connect}
        </button>
      ) : (
        <button type="button" class="button small" data-testid={`disconnect-${id}`} aria-label={words.disconnectOf(name)} onClick={onDisconnect}>
          {words.disconnect}
        </button>
      )}
    </li>
  );
}

/** Returns the text about a connected account, whose name may be unknown. */
function connectionText({ user_name, connected_at_ms }: ConnectedProvider): string {
  const day = text.day(connected_at_ms);
  return user_name === '' ? text.providers.connectedSince(day) : text.providers.connected(user_name, day);
}
