import type { JSX } from 'preact';
import type { NotificationSettings, PushSubscriptionView } from '../../../protocol/generated.ts';
import type { NotificationsApi } from '../../../store/notifications-api.ts';
import { Push } from '../../../store/push.ts';
import { text } from '../../../text/index.ts';
import { useClient } from '../../context.ts';

interface DeviceListProps {
  readonly api: NotificationsApi;
  readonly settings: NotificationSettings;
  readonly onChange: (changes: Partial<NotificationSettings>) => void;
  /** Called with what has been done. */
  readonly onRemoved: (result: string) => void;
}

/** The other browsers in which the user gets notifications. */
export function DeviceList({ api, settings: { subscriptions }, onChange, onRemoved }: DeviceListProps): JSX.Element | null {
  const client = useClient();
  const words = text.notifications;
  const own = new Push(api, client.persistence, () => Promise.resolve(null)).known();
  const others = subscriptions.filter(({ id }) => id !== own?.id);
  if (others.length === 0) return null;
  const remove = async ({ id }: PushSubscriptionView, name: string): Promise<void> => {
    try {
      await api.unsubscribe(id);
      onChange({ subscriptions: subscriptions.filter((one) => one.id !== id) });
      onRemoved(words.removed(name));
    } catch (failure) {
      client.report(failure);
    }
  };
  return (
    <div>
      <h3>{words.devices}</h3>
      <ul class="session-list">
        {others.map((one) => {
          const name = one.client ?? text.sessions.unknownBrowser;
          return (
            <li key={one.id} class="session" data-testid="push-device">
              <span class="session-text">
                <span class="session-name">{name}</span>
                <span class="quiet">{words.since(text.day(one.created_at_ms))}</span>
              </span>
              <button type="button" class="button small" data-testid="remove-device" aria-label={words.removeOf(name)} onClick={() => void remove(one, name)}>
                {words.remove}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
