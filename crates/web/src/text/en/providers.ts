/** The text of a failed sign-in with another service, for its code. */
export function signInFailed(code: string): string {
  switch (code) {
    case 'provider_refused':
      return 'You did not allow the sign-in.';
    case 'stale_sign_in':
      return 'This sign-in took too long or was used already. Try again.';
    case 'already_connected':
      return 'That account is connected with another account here.';
    case 'other_connected':
      return 'You sign in with another account of this service already. Disconnect it first.';
    default:
      return 'The sign-in did not work. Try again later.';
  }
}

/** Signing in with the accounts of other services. */
export const providers = {
  or: 'Or with an account that you have already:',
  continueWith: (name: string) => `Continue with ${name}`,
  completeHint: (name: string) => `Choose the name of your new account. From now on you sign in with ${name}.`,
  hasAccount: (name: string) => `Do you have an account here already? Sign in with it, and connect ${name} in the settings.`,
  nameHint: 'Other players see this name.',
  expired: 'This sign-in has expired. Start again.',
  title: 'Other ways to sign in',
  hint: 'Connect an account of another service, and you can sign in with it.',
  connected: (name: string, day: string) => `Connected as ${name} since ${day}`,
  connectedSince: (day: string) => `Connected since ${day}`,
  notConnected: 'Not connected',
  connect: 'Connect',
  connectOf: (name: string) => `Connect ${name}`,
  disconnect: 'Disconnect',
  disconnectOf: (name: string) => `Disconnect ${name}`,
  disconnected: (name: string) => `You no longer sign in with ${name}.`,
  lastSignIn: 'Without it you could no longer sign in. Set a password first.',
  setPassword: 'Set a password',
  passwordSet: 'You can sign in with your name and your password now.',
};
