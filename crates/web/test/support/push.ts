import { vi } from 'vitest';

/** The state of notifications in a browser of a test. */
export interface FakePush {
  readonly manager: { subscribe: ReturnType<typeof vi.fn>; getSubscription: () => Promise<PushSubscription | null> };
  /** The endpoint of the present subscription. */
  endpoint: string | null;
  /** The number of ended subscriptions. */
  ended: number;
}

/**
 * Replaces the service worker and the permission of the browser. Each subscription has another
 * endpoint.
 */
export function stubPush({ permission = 'granted' as NotificationPermission, answer = 'granted' as NotificationPermission } = {}): FakePush {
  let count = 0;
  const of = (endpoint: string): PushSubscription =>
    ({
      endpoint,
      toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: 'p-key', auth: 'a-key' } }),
      unsubscribe: () => {
        push.endpoint = null;
        push.ended += 1;
        return Promise.resolve(true);
      },
    }) as unknown as PushSubscription;
  const push: FakePush = {
    endpoint: null,
    ended: 0,
    manager: {
      subscribe: vi.fn(() => {
        count += 1;
        push.endpoint = `https://push.example/${count}`;
        return Promise.resolve(of(push.endpoint));
      }),
      getSubscription: () => Promise.resolve(push.endpoint === null ? null : of(push.endpoint)),
    },
  };
  const notification = {
    permission,
    requestPermission: vi.fn(() => {
      notification.permission = answer;
      return Promise.resolve(answer);
    }),
  };
  vi.stubGlobal('Notification', notification);
  const serviceWorker = { getRegistration: () => Promise.resolve({ pushManager: push.manager }) };
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
  return push;
}

/** Removes the service worker and the permission of {@link stubPush}. */
export function restorePush(): void {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}
