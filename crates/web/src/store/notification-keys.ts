import type { Persistence } from './persistence.ts';

/** The key under which the browser stores its subscription to notifications. */
export const SUBSCRIPTION_KEY = 'quadrex.push';
/** The key under which the browser stores the offset of the quiet hours from UTC. */
export const OFFSET_KEY = 'quadrex.quiet-offset';

/** Returns whether something about notifications has to be kept up to date. */
export function usesNotifications(persistence: Persistence): boolean {
  return [SUBSCRIPTION_KEY, OFFSET_KEY].some((key) => (persistence.get(key) ?? '') !== '');
}
