import type { JSX } from 'preact';
import type { Webhook } from '../../../protocol/generated.ts';
import { TABLE_EVENTS } from '../../../store/notifications-api.ts';
import { text } from '../../../text/index.ts';

interface WebhookRowProps {
  readonly webhook: Webhook;
  /** The name under which the webhook is shown. */
  readonly name: string;
  readonly onTest: () => void;
  readonly onChange: () => void;
  readonly onRemove: () => void;
  readonly onTurnOn: () => void;
}

/** A webhook in the list: its events, its last message, and the reason if it was turned off. */
export function WebhookRow({ webhook, name, onTest, onChange, onRemove, onTurnOn }: WebhookRowProps): JSX.Element {
  const words = text.webhooks;
  const { events, sent_at_ms, off } = webhook;
  const sent = sent_at_ms === undefined ? words.neverSent : words.sent(text.ago(Date.now() - sent_at_ms));
  return (
    <li class="session webhook" data-testid="webhook" data-off={off !== undefined}>
      <span class="session-text">
        <span class="session-name">
          {name}
          {webhook.private && <span class="session-mark">{words.privateMark}</span>}
        </span>
        <span class="quiet">{`${text.list(TABLE_EVENTS.filter((event) => events.includes(event)).map((event) => words.events[event]))} · ${sent}`}</span>
        {off !== undefined && (
          <span class="webhook-off" data-testid="webhook-off">
            {words.off(text.day(off.at_ms), off.reason)}
          </span>
        )}
      </span>
      <span class="buttons">
        {off === undefined ? (
          <button type="button" class="button small" data-testid="test-webhook" aria-label={words.testOf(name)} onClick={onTest}>
            {words.test}
          </button>
        ) : (
          <button type="button" class="button small" data-testid="turn-on-webhook" onClick={onTurnOn}>
            {words.turnOn}
          </button>
        )}
        <button type="button" class="button small" data-testid="change-webhook" aria-label={words.changeOf(name)} onClick={onChange}>
          {words.change}
        </button>
        <button type="button" class="button small" data-testid="remove-webhook" aria-label={words.removeOf(name)} onClick={onRemove}>
          {words.remove}
        </button>
      </span>
    </li>
  );
}
