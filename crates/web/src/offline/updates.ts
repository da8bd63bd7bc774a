import { signal } from '@preact/signals';

/** The browser's service workers; none on pages served over plain HTTP, and where the browser refuses them. */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}

/** The address of the service worker's script. */
const WORKER = '/sw.js';

/**
 * The worker's address as browsers with Trusted Types want it. The policy makes this one address and nothing else; the
 * server's content security policy allows it alone (`crates/server/src/http/headers.rs`).
 */
function workerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return WORKER;
  return trustedTypes.createPolicy('quadrex-worker', { createScriptURL: () => WORKER }).createScriptURL(WORKER);
}

/** The part of the Trusted Types interface that is used; what it makes is taken where an address is. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): string };
}

/** The relation of the page to the worker that caches the client's files. */
export class Updates {
  /** A newer client has been fetched and waits to be let in. */
  readonly waiting = signal(false);
  #container: ServiceWorkerContainer | undefined;
  #registration: ServiceWorkerRegistration | undefined;

  /** Lets the worker begin, where the browser has such (not on pages served over plain HTTP). */
  async begin(container: ServiceWorkerContainer | undefined): Promise<void> {
    if (container === undefined) return;
    this.#container = container;
    try {
      const registration = await container.register(workerUrl());
      this.#registration = registration;
      this.#look();
      registration.addEventListener('updatefound', () => {
        registration.installing?.addEventListener('statechange', () => this.#look());
      });
    } catch (error) {
      // The client works without; the next visit tries again.
      console.warn('the service worker did not begin', error);
    }
  }

  /** The server has another version than this page: the worker looks for the client that fits. */
  check(): void {
    void this.#registration?.update().catch(() => undefined);
  }

  /** Loads the page again, with the newer client if one waits. */
  reload(): void {
    const waiting = this.#registration?.waiting;
    if (waiting === undefined || waiting === null) {
      location.reload();
      return;
    }
    this.#container?.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('take over');
  }

  #look(): void {
    // On the first visit nothing is older than what waits.
    this.waiting.value = Boolean(this.#registration?.waiting) && this.#container?.controller !== null;
  }
}
