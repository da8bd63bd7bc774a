import { signal } from '@preact/signals';

/** How the page stands to the worker that keeps the client's files. */
export class Updates {
  /** A newer client has been fetched and waits to be let in. */
  readonly waiting = signal(false);
  #registration: ServiceWorkerRegistration | undefined;

  /** Lets the worker begin, where the browser has such (not on pages served over plain HTTP). */
  async begin(container: ServiceWorkerContainer | undefined): Promise<void> {
    if (container === undefined) return;
    try {
      const registration = await container.register('/sw.js');
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
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('take over');
  }

  #look(): void {
    // On the first visit nothing is older than what waits.
    this.waiting.value = Boolean(this.#registration?.waiting) && navigator.serviceWorker.controller !== null;
  }
}
