import { signal } from '@preact/signals';

/**
 * Returns the browser's service workers. Returns `undefined` on pages over plain HTTP, or if the
 * browser refuses access.
 */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}

/** The address of the service worker's script. */
const WORKER_SCRIPT = '/sw.js';

/**
 * Returns the worker's address in the form that Trusted Types require. The policy creates no other
 * address, and the server's content security policy allows no other policy
 * (`crates/server/src/http/headers.rs`).
 */
function workerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return WORKER_SCRIPT;
  return trustedTypes.createPolicy('quadrex-worker', { createScriptURL: () => WORKER_SCRIPT }).createScriptURL(WORKER_SCRIPT);
}

/**
 * The part of the Trusted Types interface that is used here. A browser accepts the policy's result
 * in place of an address.
 */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): string };
}

/** The page's view of the service worker, which caches the client's files. */
export class Updates {
  /** Set if a newer client has been fetched and waits to be activated. */
  readonly isWaiting = signal(false);
  #container: ServiceWorkerContainer | undefined;
  #registration: ServiceWorkerRegistration | undefined;

  /** Registers the service worker, if the browser supports it (not over plain HTTP). */
  async register(container: ServiceWorkerContainer | undefined): Promise<void> {
    if (container === undefined) return;
    this.#container = container;
    try {
      const registration = await container.register(workerUrl());
      this.#registration = registration;
      this.#updateWaiting();
      registration.addEventListener('updatefound', () => {
        registration.installing?.addEventListener('statechange', () => this.#updateWaiting());
      });
    } catch (error) {
      // The client works without a service worker; the next visit tries again.
      console.warn('the service worker did not begin', error);
    }
  }

  /** Looks for a newer client, after the server has reported another version. */
  check(): void {
    void this.#registration?.update().catch(() => undefined);
  }

  /** Reloads the page. If a newer client waits, it is activated first. */
  reload(): void {
    const waiting = this.#registration?.waiting;
    if (waiting === undefined || waiting === null) {
      location.reload();
      return;
    }
    this.#container?.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('take over');
  }

  #updateWaiting(): void {
    // On the first visit there is no older client that could be updated.
    this.isWaiting.value = Boolean(this.#registration?.waiting) && this.#container?.controller !== null;
  }
}
