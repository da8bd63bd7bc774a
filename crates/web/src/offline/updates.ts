import { signal } from '@preact/signals';

/**
 * Returns the browser's service workers. There are none on pages over plain HTTP and if the browser
 * refuses access.
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
 * Returns the worker's address in the form that Trusted Types require. The policy creates this one
 * address only, and the server's content security policy allows no other policy
 * (`crates/server/src/http/headers.rs`).
 */
function workerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return WORKER_SCRIPT;
  return trustedTypes.createPolicy('quadrex-worker', { createScriptURL: () => WORKER_SCRIPT }).createScriptURL(WORKER_SCRIPT);
}

/**
 * The used part of the Trusted Types interface. Its result is passed where an address is expected.
 */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): string };
}

/** The service worker that caches the client's files, as the page sees it. */
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

  /** Reloads the page, with the newer client if one waits. */
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
