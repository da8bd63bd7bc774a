import { effect } from '@preact/signals';
import { serviceWorkers } from '../offline/updates.ts';
import type { Client } from './client.ts';
import type { Language } from './languages.ts';
import { httpNotificationsApi } from './notifications-api.ts';
import { Push } from './push.ts';
import { keepQuietHours } from './quiet-hours.ts';

/**
 * Keeps the subscription of this browser and the quiet hours up to date from now on. A failed
 * attempt is repeated at the next visit.
 */
export function keepNotifications(client: Client, language: () => Language): void {
  const push = new Push(httpNotificationsApi, client.persistence, async () => (await serviceWorkers()?.getRegistration()) ?? null);
  effect(() => {
    const user = client.user.value;
    // The language is chosen from this preference.
    void client.preferences.language.value;
    if (user === null) return;
    void push.keep(user.id, language()).catch(() => undefined);
    void keepQuietHours(httpNotificationsApi, client.persistence).catch(() => undefined);
  });
}
