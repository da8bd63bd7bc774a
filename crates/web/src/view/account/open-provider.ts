import type { StartProviderSignIn } from '../../protocol/generated.ts';
import type { SignInApi } from '../../store/sign-in-api.ts';

/** Starts a sign-in with another service and opens the service's page for it. */
export async function openProvider(api: SignInApi, provider: string, start: StartProviderSignIn): Promise<void> {
  const { url } = await api.startProvider(provider, start);
  location.assign(url);
}
