import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../../connection/outbox.ts';
import type { ChooseWebhook, Webhook } from '../../../protocol/generated.ts';
import { TABLE_EVENTS, type NotificationsApi, type TableEvent } from '../../../store/notifications-api.ts';
import { errorText } from '../../../text/error-text.ts';
import { text } from '../../../text/index.ts';
import { TextField } from '../../account/text-field.tsx';
import { Dialog } from '../../dialog.tsx';
import { CopyLink } from '../../table/copy-link.tsx';
import { useSubmission } from '../../use-submission.ts';

/** The longest address, in characters. */
const MAX_LENGTH = 500;

interface WebhookDialogProps {
  readonly api: NotificationsApi;
  /** The webhook to change; `null` for a new one. */
  readonly webhook: Webhook | null;
  readonly onSaved: (webhook: Webhook, isNew: boolean) => void;
  readonly onClose: () => void;
}

/** The dialog that changes a webhook, or creates one and then shows its secret, only once. */
export function WebhookDialog({ api, webhook, onSaved, onClose }: WebhookDialogProps): JSX.Element {
  const words = text.webhooks;
  const [secret, setSecret] = useState<string | null>(null);
  const save = async (fields: ChooseWebhook): Promise<void> => {
    if (webhook === null) {
      const created = await api.createWebhook(fields);
      setSecret(created.secret);
      onSaved(created.webhook, true);
    } else {
      onSaved(await api.changeWebhook(webhook.id, fields), false);
      onClose();
    }
  };
  return (
    <Dialog title={secret !== null ? words.secret : webhook === null ? words.create : words.change} onClose={onClose}>
      {secret === null ? (
        <WebhookForm webhook={webhook} onSave={save} />
      ) : (
        <>
          <p>{words.secretHint}</p>
          <CopyLink link={secret} label={words.secret} testId="webhook-secret" buttonLabel={words.copy} />
        </>
      )}
    </Dialog>
  );
}

interface WebhookFormProps {
  readonly webhook: Webhook | null;
  readonly onSave: (webhook: ChooseWebhook) => Promise<void>;
}

/** The form for the address and the events of a webhook. */
function WebhookForm({ webhook, onSave }: WebhookFormProps): JSX.Element {
  const words = text.webhooks;
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [chosen, setChosen] = useState<readonly TableEvent[]>(TABLE_EVENTS.filter((event) => webhook?.events.includes(event) ?? true));
  const [isPrivate, setPrivate] = useState(webhook?.private ?? false);
  const { form, isBusy, error, clear, submit } = useSubmission();
  const toggle = (event: TableEvent, isOn: boolean): void => setChosen(TABLE_EVENTS.filter((one) => (one === event ? isOn : chosen.includes(one))));
  return (
    <form ref={form} class="form" data-testid="webhook-form" onSubmit={(event) => submit(event, () => onSave({ url: url.trim(), events: [...chosen], private: isPrivate }))} onInput={clear}>
      <TextField name="webhook-url" label={words.url} autocomplete="url" maxLength={MAX_LENGTH} value={url} hint={words.urlHint} error={error && webhookError(error)} onInput={setUrl} />
      <fieldset class="choice">
        <legend>{words.when}</legend>
        {TABLE_EVENTS.map((event) => (
          <label key={event} class="check">
            <input type="checkbox" data-testid={`webhook-${event}`} checked={chosen.includes(event)} onChange={({ currentTarget }) => toggle(event, currentTarget.checked)} />
            <span>{words.events[event]}</span>
          </label>
        ))}
        {chosen.length === 0 && <p class="field-error">{words.noEvents}</p>}
      </fieldset>
      <label class="check">
        <input type="checkbox" data-testid="webhook-private" checked={isPrivate} aria-describedby="webhook-private-hint" onChange={({ currentTarget }) => setPrivate(currentTarget.checked)} />
        <span>
          {words.private}
          <span class="quiet" id="webhook-private-hint">
            {words.privateHint}
          </span>
        </span>
      </label>
      <div class="buttons align-end">
        <button type="submit" class="button primary" data-testid="webhook-submit" disabled={isBusy || chosen.length === 0}>
          {webhook === null ? words.create : words.save}
        </button>
      </div>
    </form>
  );
}

/** Returns the text of an error of the form. */
function webhookError(error: Error): string {
  return error instanceof Refusal && error.code === 'bad_setting' ? text.webhooks.invalidUrl : errorText(error);
}
