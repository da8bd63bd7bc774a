import { Refusal } from '../connection/outbox.ts';
import type { ProviderSignInStarted, ProviderSignUp, SignIns, SignInOptions, StartProviderSignIn, UserView } from '../protocol/generated.ts';
import { post, request, requestJson, requestWithBody } from './http.ts';
import type { Language } from './languages.ts';

/** The options of a server of an earlier version. */
const NO_OPTIONS: SignInOptions = { password_reset: false, providers: [] };

/** The ways in which users of such a server sign in. */
const PASSWORD_ONLY: SignIns = { password: true, providers: [] };

/** The HTTP routes about signing in without a password. */
export interface SignInApi {
  options(): Promise<SignInOptions>;
  /** Sends a link to the confirmed address of an account, if there is one. */
  requestReset(name: string, language: Language): Promise<void>;
  /** Sets the password of the account that got this secret, and ends its sessions. */
  resetPassword(secret: string, password: string): Promise<void>;
  /** Starts a sign-in with a service. Returns the address of the service's page for it. */
  startProvider(provider: string, start: StartProviderSignIn): Promise<ProviderSignInStarted>;
  /** Returns the sign-in with a service that waits for the name of the new account. */
  providerSignUp(): Promise<ProviderSignUp>;
  /** Gives the user, a guest, an account with which that service signs in. */
  completeSignUp(name: string): Promise<UserView>;
  signIns(): Promise<SignIns>;
  /** Removes a service from the ways in which the user signs in. */
  disconnect(provider: string): Promise<void>;
}

/** The routes of the server that this page came from. */
export const httpSignInApi: SignInApi = {
  options: async () => {
    try {
      return await requestJson<SignInOptions>('/api/sign-in-options');
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return NO_OPTIONS;
      throw error;
    }
  },
  requestReset: async (name, language) => void (await requestWithBody('POST', '/api/password-resets', { name, language })),
  resetPassword: async (secret, password) => void (await requestWithBody('POST', '/api/password-resets/confirm', { secret, password })),
  startProvider: (provider, start) => post(`/api/providers/${provider}/start`, start),
  providerSignUp: () => requestJson('/api/me/provider-sign-up'),
  completeSignUp: (name) => post('/api/me/provider-sign-up', { name }),
  signIns: async () => {
    try {
      return await requestJson<SignIns>('/api/me/sign-ins');
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return PASSWORD_ONLY;
      throw error;
    }
  },
  disconnect: async (provider) => void (await request(`/api/me/sign-ins/${provider}`, { method: 'DELETE' })),
};
