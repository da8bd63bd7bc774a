import type {
  ChooseMail,
  ChooseNotifications,
  ChooseWebhook,
  NewPushSubscription,
  NotificationSettings,
  PushSubscriptionAdded,
  Webhook,
  WebhookCreated,
  WebhookEvent,
  WebhookList,
  WebhookTested,
} from '../protocol/generated.ts';
import { post, request, requestJson, requestWithBody, sendJson } from './http.ts';

/** The events of which the user is notified, and when. */
export type NotificationChoices = Pick<NotificationSettings, 'turn' | 'started' | 'quiet_hours'>;

/** An event that a host may choose for a webhook. */
export type TableEvent = Exclude<WebhookEvent, 'test'>;

/** The events that a host may choose, in the order in which they happen. */
export const TABLE_EVENTS: readonly TableEvent[] = ['opened', 'started', 'ended'];

/** The HTTP routes about notifications. */
export interface NotificationsApi {
  settings(): Promise<NotificationSettings>;
  choose(choices: ChooseNotifications): Promise<void>;
  /** Stores the subscription of this browser. It replaces an earlier one with the same endpoint. */
  subscribe(subscription: NewPushSubscription): Promise<PushSubscriptionAdded>;
  unsubscribe(subscription: string): Promise<void>;
  /** Sends a test notification to a browser. */
  testPush(subscription: string): Promise<void>;
  webhooks(): Promise<WebhookList>;
  createWebhook(webhook: ChooseWebhook): Promise<WebhookCreated>;
  /** Changes a webhook, and turns it on if it was off. */
  changeWebhook(id: string, webhook: ChooseWebhook): Promise<Webhook>;
  removeWebhook(id: string): Promise<void>;
  testWebhook(id: string): Promise<WebhookTested>;
  /** Changes the choices about the address. A new address gets a link that confirms it. */
  setMail(mail: ChooseMail): Promise<void>;
  removeMail(): Promise<void>;
  /** Confirms the address that got this secret. */
  confirmMail(secret: string): Promise<void>;
  /** Ends the notifications by mail. */
  unsubscribeMail(secret: string): Promise<void>;
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
  setMail: async (mail) => void (await requestWithBody('PUT', '/api/me/mail', mail)),
  removeMail: async () => void (await request('/api/me/mail', { method: 'DELETE' })),
  confirmMail: async (secret) => void (await requestWithBody('POST', '/api/mail/confirm', { secret })),
  unsubscribeMail: async (secret) => void (await request(`/api/mail/unsubscribe/${encodeURIComponent(secret)}`, { method: 'POST' })),
};
