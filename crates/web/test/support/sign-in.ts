import type { SignInApi } from '../../src/store/sign-in-api.ts';

/**
 * Returns the routes for signing in of a server without mail and other services. The given routes
 * replace others.
 */
export function signInApi(routes: Partial<SignInApi> = {}): SignInApi {
  return {
    options: () => Promise.resolve({ password_reset: false, providers: [] }),
    requestReset: () => Promise.reject(new Error('no mail')),
    resetPassword: () => Promise.reject(new Error('no mail')),
    startProvider: () => Promise.reject(new Error('no services')),
    providerSignUp: () => Promise.reject(new Error('no services')),
    completeSignUp: () => Promise.reject(new Error('no services')),
    signIns: () => Promise.resolve({ password: true, providers: [] }),
    disconnect: () => Promise.reject(new Error('no services')),
    ...routes,
  };
}
