import type { Language } from './languages.ts';
import { post, request, requestJson, requestWithBody, sendJson } from './http.ts';

/** The daily time in which no notifications are sent, in the user's local time. */
export interface QuietHours {
  readonly from_minute: number;
  readonly to_minute: number;
  readonly utc_offset_minutes: number;
}

/** The events of which the user is notified, and when. */
export interface NotificationChoices {
  readonly turn: boolean;
  readonly started: boolean;
  readonly quiet_hours?: QuietHours;
}

export interface PushSubscriptionView {
  readonly id: string;
  readonly client?: string;
  readonly created_at_ms: number;
  readonly language: Language;
}

export interface NotificationSettings extends NotificationChoices {
  readonly push?: { readonly public_key: string };
  readonly subscriptions: readonly PushSubscriptionView[];
  readonly webhooks: boolean;
}

export type WebhookEvent = 'opened' | 'started' | 'ended';

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly private: boolean;
}

export interface Webhook extends NewWebhook {
  readonly id: string;
  readonly created_at_ms: number;
  readonly sent_at_ms?: number;
  readonly off?: { readonly at_ms: number; readonly reason: string };
}

export interface WebhookCreated {
  readonly webhook: Webhook;
  readonly secret: string;
}

export interface WebhookTest {
  readonly status?: number;
  readonly error?: string;
}

/** A subscription of a browser, in the form of `PushSubscription.toJSON()`. */
export interface NewPushSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  readonly language: Language;
}

/** The HTTP routes about notifications. */
export interface NotificationsApi {
  settings(): Promise<NotificationSettings>;
  choose(choices: NotificationChoices): Promise<void>;
  /** Stores the subscription of this browser. It replaces an earlier one with the same endpoint. */
  subscribe(subscription: NewPushSubscription): Promise<{ readonly id: string }>;
  unsubscribe(subscription: string): Promise<void>;
  /** Sends a test notification to a browser. */
  testPush(subscription: string): Promise<void>;
  webhooks(): Promise<{ readonly webhooks: readonly Webhook[] }>;
  createWebhook(webhook: NewWebhook): Promise<WebhookCreated>;
  /** Changes a webhook, and turns it on if it was off. */
  changeWebhook(id: string, webhook: NewWebhook): Promise<Webhook>;
  removeWebhook(id: string): Promise<void>;
  testWebhook(id: string): Promise<WebhookTest>;
}

/** The routes of the server that this page came from. */
export const httpNotificationsApi: NotificationsApi = {
  settings: () => requestJson('/api/me/notifications'),
  choose: async (choices) => void (await requestWithBody('PUT', '/api/me/notifications', choices)),
  subscribe: (subscription) => post('/api/me/push-subscriptions', subscription),
  unsubscribe: async (id) => void (await request(`/api/me/push-subscriptions/${id}`, { method: 'DELETE' })),
  testPush: async (id) => void (await request(`/api/me/push-subscriptions/${id}/test`, { method: 'POST' })),
  webhooks: () => requestJson('/api/me/webhooks'),
  createWebhook: (webhook) => post('/api/me/webhooks', webhook),
  changeWebhook: (id, webhook) => sendJson('PUT', `/api/me/webhooks/${id}`, webhook),
  removeWebhook: async (id) => void (await request(`/api/me/webhooks/${id}`, { method: 'DELETE' })),
  testWebhook: (id) => post(`/api/me/webhooks/${id}/test`),
};
