import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SignInProvider } from '../../protocol/generated.ts';
import type { SignInApi } from '../../store/sign-in-api.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { openProvider } from './open-provider.ts';

interface ProviderButtonsProps {
  readonly api: SignInApi;
  readonly providers: readonly SignInProvider[];
}

/** The buttons for signing in, or up, with an account of another service. */
export function ProviderButtons({ api, providers }: ProviderButtonsProps): JSX.Element | null {
  const client = useClient();
  const words = text.providers;
  const [isBusy, setBusy] = useState(false);
  if (providers.length === 0) return null;
  const start = async (id: string): Promise<void> => {
    setBusy(true);
    try {
      await client.untilSessionKnown();
      await openProvider(api, id, { return_to: '/' });
    } catch (failure) {
      client.report(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="settings-part" data-testid="providers">
      <p>{words.or}</p>
      <div class="buttons">
        {providers.map(({ id, name }) => (
          <button key={id} type="button" class="button" data-testid={`continue-with-${id}`} disabled={isBusy} onClick={() => void start(id)}>
            {words.continueWith(name)}
          </button>
        ))}
      </div>
    </section>
  );
}
