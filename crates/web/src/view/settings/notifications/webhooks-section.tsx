import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { UserView, Webhook } from '../../../protocol/generated.ts';
import type { NotificationsApi } from '../../../store/notifications-api.ts';
import { text } from '../../../text/index.ts';
import { useClient } from '../../context.ts';
import { LoadError } from '../../load-error.tsx';
import { useLoaded } from '../../use-loaded.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookRow } from './webhook-row.tsx';

/** The section about the webhooks of a host. */
export function WebhooksSection({ user, api }: { user: UserView; api: NotificationsApi }): JSX.Element {
  const client = useClient();
  const words = text.webhooks;
  const { value, error, set, retry } = useLoaded(async () => (await api.webhooks()).webhooks, user.id);
  /** The webhook that is being changed, or a new one. */
  const [edited, edit] = useState<Webhook | 'new' | null>(null);
  const [result, setResult] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const list = value ?? [];
  const replace = (webhook: Webhook): void => set(list.map((one) => (one.id === webhook.id ? webhook : one)));
  const attempt = (action: () => Promise<string>): void => {
    setResult('');
    action().then(setResult, (failure: unknown) => client.report(failure));
  };
  const remove = ({ id, url }: Webhook): void =>
    attempt(async () => {
      await api.removeWebhook(id);
      set(list.filter((one) => one.id !== id));
      heading.current?.focus();
      return words.removed(hostOf(url));
    });
  const turnOn = ({ id, url, events, private: isPrivate }: Webhook): void =>
    attempt(async () => {
      replace(await api.changeWebhook(id, { url, events, private: isPrivate }));
      return words.turnedOn;
    });
  const test = ({ id }: Webhook): void =>
    attempt(async () => {
      const { status, error: reason } = await api.testWebhook(id);
      if (reason !== undefined || status === undefined) return words.testFailed(reason ?? '');
      return status >= 200 && status < 300 ? words.testGood : words.testRefused(String(status));
    });
  const onSaved = (webhook: Webhook, isNew: boolean): void => {
    if (isNew) set([...list, webhook]);
    else replace(webhook);
    setResult(words.saved);
  };
  return (
    <section class="settings-group" data-testid="webhooks" aria-labelledby="webhooks-title" aria-busy={value === null && error === null}>
      <h2 id="webhooks-title" ref={heading} tabIndex={-1}>
        {words.title}
      </h2>
      <p class="quiet">{words.hint}</p>
      {error !== null && <LoadError error={error} onRetry={retry} />}
      {list.length > 0 && (
        <ul class="session-list">
          {list.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              name={hostOf(webhook.url)}
              onTest={() => test(webhook)}
              onChange={() => edit(webhook)}
              onRemove={() => remove(webhook)}
              onTurnOn={() => turnOn(webhook)}
            />
          ))}
        </ul>
      )}
      <p role="status" data-testid="webhooks-result">
        {result}
      </p>
      <button type="button" class="button" data-testid="new-webhook" disabled={value === null} onClick={() => edit('new')}>
        {words.create}
      </button>
      {edited !== null && <WebhookDialog api={api} webhook={edited === 'new' ? null : edited} onSaved={onSaved} onClose={() => edit(null)} />}
    </section>
  );
}

/** Returns the host of an address, because the rest of it is often a secret. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
