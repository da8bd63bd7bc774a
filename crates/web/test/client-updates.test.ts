import { afterEach, expect, it, vi } from 'vitest';
import { Updates } from '../src/offline/updates.ts';

/** A registration whose worker the test installs. */
function surroundings(controller: object | null) {
  const posted: unknown[] = [];
  const installing = new EventTarget();
  const registration = Object.assign(new EventTarget(), {
    installing,
    waiting: null as { postMessage(message: unknown): void } | null,
    update: vi.fn(() => Promise.resolve()),
  });
  const container = Object.assign(new EventTarget(), { controller, register: () => Promise.resolve(registration) });
  vi.stubGlobal('navigator', { serviceWorker: container });
  const install = (): void => {
    registration.dispatchEvent(new Event('updatefound'));
    registration.waiting = { postMessage: (message) => posted.push(message) };
    installing.dispatchEvent(new Event('statechange'));
  };
  return { container: container as unknown as ServiceWorkerContainer, registration, install, posted };
}

afterEach(() => vi.unstubAllGlobals());

it('offers a newer client, and activates it only on request', async () => {
  const { container, install, posted } = surroundings({});
  const updates = new Updates();
  await updates.register(container);
  expect(updates.isWaiting.value).toBe(false);
  install();
  expect(updates.isWaiting.value).toBe(true);
  expect(posted).toEqual([]);
  updates.reload();
  expect(posted).toEqual(['take over']);
});

it('offers nothing on the first visit', async () => {
  const { container, install } = surroundings(null);
  const updates = new Updates();
  await updates.register(container);
  install();
  expect(updates.isWaiting.value).toBe(false);
});

it('checks for an update when the server has changed, and works without service workers', async () => {
  const { container, registration } = surroundings({});
  const updates = new Updates();
  updates.check();
  await updates.register(undefined);
  await updates.register(container);
  updates.check();
  expect(registration.update).toHaveBeenCalledTimes(1);
});
