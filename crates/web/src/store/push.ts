import type { Language } from './languages.ts';
import type { NotificationsApi } from './notifications-api.ts';
import { SUBSCRIPTION_KEY } from './notification-keys.ts';
import type { Persistence } from './persistence.ts';
import type { UserId } from '../protocol/generated.ts';

/** The subscription of this browser, as the server knows it. */
interface KnownSubscription {
  readonly id: string;
  readonly user: UserId;
  readonly endpoint: string;
  readonly language: Language;
}

/** The part of a service worker's registration that is used here. */
export type PushRegistration = Pick<ServiceWorkerRegistration, 'pushManager'>;

/** The state of notifications in this browser. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

/** The subscription of this browser to notifications from the server. */
export class Push {
  readonly #api: Pick<NotificationsApi, 'subscribe' | 'unsubscribe' | 'settings'>;
  readonly #persistence: Persistence;
  readonly #registration: () => Promise<PushRegistration | null>;

  constructor(api: Pick<NotificationsApi, 'subscribe' | 'unsubscribe' | 'settings'>, persistence: Persistence, registration: () => Promise<PushRegistration | null>) {
    this.#api = api;
    this.#persistence = persistence;
    this.#registration = registration;
  }

  /**
   * Returns the state in this browser. It is on if the server has the subscription of this browser
   * among `subscriptions`.
   */
  async state(subscriptions: readonly { readonly id: string }[]): Promise<PushState> {
    const manager = await this.#manager();
    if (manager === null) return 'unsupported';
    if (Notification.permission === 'denied') return 'denied';
    const known = this.known();
    const isKnown = subscriptions.some(({ id }) => id === known?.id);
    return isKnown && (await manager.getSubscription()) !== null ? 'on' : 'off';
  }

  /** Returns the stored subscription of this browser. */
  known(): KnownSubscription | null {
    const stored = this.#persistence.get(SUBSCRIPTION_KEY);
    return stored === null || stored === '' ? null : (JSON.parse(stored) as KnownSubscription);
  }

  /** Subscribes this browser as a user. Returns the id of the subscription. */
  async subscribe(publicKey: string, user: UserId, language: Language): Promise<string> {
    const manager = await this.#manager();
    if (manager === null) throw new Error('the browser has no push manager');
    const options = { userVisibleOnly: true, applicationServerKey: publicKey };
    let subscription: PushSubscription;
    try {
      subscription = await manager.subscribe(options);
    } catch (error) {
      // A subscription with another key of the server prevents a new one.
      const old = await manager.getSubscription();
      if (old === null) throw error;
      await old.unsubscribe();
      subscription = await manager.subscribe(options);
    }
    return this.#store(subscription, user, language);
  }

  /** Ends the subscription of this browser. */
  async unsubscribe(): Promise<void> {
    const known = this.known();
    if (known !== null) await this.#api.unsubscribe(known.id);
    await this.#forget();
  }

  /**
   * Keeps the subscription up to date: after a change of the language or of the browser's address
   * for messages it is stored again. If the user is another one, the subscription ends.
   */
  async keep(user: UserId, language: Language): Promise<void> {
    const known = this.known();
    if (known === null) return;
    const manager = await this.#manager();
    if (manager === null) return;
    if (known.user !== user) return this.#forget();
    const subscription = await manager.getSubscription();
    if (subscription === null) {
      const { push } = await this.#api.settings();
      if (push !== undefined && Notification.permission === 'granted') await this.subscribe(push.public_key, user, language);
    } else if (subscription.endpoint !== known.endpoint || language !== known.language) {
      await this.#store(subscription, user, language);
    }
  }

  async #store(subscription: PushSubscription, user: UserId, language: Language): Promise<string> {
    const { endpoint, keys } = subscription.toJSON() as { endpoint: string; keys: { p256dh: string; auth: string } };
    const { id } = await this.#api.subscribe({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth }, language });
    this.#persistence.set(SUBSCRIPTION_KEY, JSON.stringify({ id, user, endpoint, language } satisfies KnownSubscription));
    return id;
  }

  async #forget(): Promise<void> {
    this.#persistence.set(SUBSCRIPTION_KEY, '');
    const subscription = await (await this.#manager())?.getSubscription();
    await subscription?.unsubscribe();
  }

  async #manager(): Promise<PushManager | null> {
    if (!('Notification' in globalThis)) return null;
    const registration: Partial<PushRegistration> | null = await this.#registration();
    return registration?.pushManager ?? null;
  }
}
