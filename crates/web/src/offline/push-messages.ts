/*
 * Messages from the server that arrive while no page needs to be open. Only the service worker
 * imports this file.
 */

/** A message from the server. */
export interface PushMessage {
  readonly kind: 'turn' | 'started' | 'test';
  readonly title: string;
  readonly body: string;
  /** The path of the page that the message is about. */
  readonly url: string;
  /** A notification replaces a displayed one with the same tag. */
  readonly tag: string;
}

/** A page of this server that is open. */
export interface OpenPage {
  readonly url: string;
  readonly visibilityState: DocumentVisibilityState;
}

/** The fields of a notification that {@link notificationOf} sets. */
export interface DisplayedNotification {
  readonly title: string;
  readonly options: { readonly body: string; readonly tag: string; readonly renotify: boolean; readonly icon: string; readonly data: { readonly path: string } };
}

/**
 * Returns the notification of a message. Returns `null` if the message is malformed, or if the user
 * already sees the page.
 */
export function notificationOf(data: unknown, pages: readonly OpenPage[]): DisplayedNotification | null {
  if (!isMessage(data)) return null;
  const { kind, title, body, url, tag } = data;
  const isSeen = pages.some((page) => page.visibilityState === 'visible' && new URL(page.url).pathname === url);
  if (isSeen && kind !== 'test') return null;
  return { title, options: { body, tag, renotify: true, icon: '/icon-192.png', data: { path: url } } };
}

function isMessage(data: unknown): data is PushMessage {
  if (typeof data !== 'object' || data === null) return false;
  const fields = data as Partial<Record<keyof PushMessage, unknown>>;
  return [fields.title, fields.body, fields.url, fields.tag].every((field) => typeof field === 'string') && fields.url !== undefined && /^\/(?!\/)/.test(String(fields.url));
}

/** The part of the server's settings that a renewal needs. */
interface Settings {
  readonly push?: { readonly public_key: string };
  readonly subscriptions: readonly { readonly language: string; readonly created_at_ms: number }[];
}

/** The event by which a browser reports that its subscription has ended or has been replaced. */
export interface SubscriptionChange {
  readonly newSubscription?: PushSubscription | null;
}

/**
 * Subscribes again after a browser has ended its subscription, and stores the new one at the server
 * in the language of the user's last subscription.
 */
export async function renewSubscription({ newSubscription }: SubscriptionChange, manager: PushManager, send: typeof fetch): Promise<void> {
  const answer = await send('/api/me/notifications');
  if (!answer.ok) return;
  const { push, subscriptions } = (await answer.json()) as Settings;
  if (push === undefined) return;
  const subscription = newSubscription ?? (await manager.subscribe({ userVisibleOnly: true, applicationServerKey: push.public_key }));
  const { endpoint, keys } = subscription.toJSON();
  const [last] = subscriptions.toSorted((a, b) => b.created_at_ms - a.created_at_ms);
  await send('/api/me/push-subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, keys: { p256dh: keys?.['p256dh'], auth: keys?.['auth'] }, language: last?.language ?? 'en' }),
  });
}
