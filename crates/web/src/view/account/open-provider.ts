import type { SignInApi, StartProvider } from '../../store/sign-in-api.ts';

/** Starts a sign-in with another service and opens the service's page for it. */
export async function openProvider(api: SignInApi, provider: string, start: StartProvider): Promise<void> {
  const { url } = await api.startProvider(provider, start);
  location.assign(url);
}
