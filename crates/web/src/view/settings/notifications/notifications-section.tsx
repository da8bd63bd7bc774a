import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Refusal } from '../../../connection/outbox.ts';
import type { NotificationSettings, QuietHours, UserView } from '../../../protocol/generated.ts';
import { httpNotificationsApi, type NotificationChoices, type NotificationsApi } from '../../../store/notifications-api.ts';
import { rememberOffset } from '../../../store/quiet-hours.ts';
import { text } from '../../../text/index.ts';
import { useClient } from '../../context.ts';
import { LoadError } from '../../load-error.tsx';
import { useLoaded } from '../../use-loaded.ts';
import { SwitchField } from '../switch-field.tsx';
import { DeviceList } from './device-list.tsx';
import { MailPart } from './mail-part.tsx';
import { PushPart } from './push-part.tsx';
import { QuietHoursPart } from './quiet-hours-part.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

interface NotificationsSectionProps {
  readonly user: UserView;
  readonly api?: NotificationsApi;
}

/** The events that a user may choose. */
const EVENTS = ['turn', 'started'] as const;

/** The sections of the settings about notifications while no page is open, and about webhooks. */
export function NotificationsSection({ user, api = httpNotificationsApi }: NotificationsSectionProps): JSX.Element | null {
  const client = useClient();
  const words = text.notifications;
  const { value: settings, error, set, retry } = useLoaded(() => api.settings(), user.id);
  const [result, setResult] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const latest = useRef<NotificationSettings | null>(null);
  latest.current = settings;
  const change = (changes: Partial<NotificationSettings>): void => {
    if (latest.current === null) return;
    latest.current = { ...latest.current, ...changes };
    set(latest.current);
  };
  const attempt = (action: () => Promise<void>): void => void action().catch((failure: unknown) => client.report(failure));
  /** Shows a choice at once, and the earlier one again if it could not be stored. */
  const choose = (choices: NotificationChoices): void => {
    if (latest.current === null) return;
    const before = latest.current;
    const { quiet_hours: _, ...others } = before;
    latest.current = { ...others, ...choices };
    set(latest.current);
    attempt(async () => {
      try {
        await api.choose(choices);
        rememberOffset(client.persistence, choices.quiet_hours);
      } catch (failure) {
        latest.current = before;
        set(before);
        throw failure;
      }
    });
  };
  const onRemoved = (done: string): void => {
    setResult(done);
    heading.current?.focus();
  };
  // A server of an earlier version has no notifications.
  if (error instanceof Refusal && error.code === 'not_found') return null;
  return (
    <>
      <section class="settings-group" data-testid="notifications" aria-labelledby="notifications-title" aria-busy={settings === null && error === null}>
        <h2 id="notifications-title" ref={heading} tabIndex={-1}>
          {words.title}
        </h2>
        <p class="quiet">{words.hint}</p>
        {error !== null && <LoadError error={error} onRetry={retry} />}
        {settings !== null && (
          <>
            <PushPart user={user} api={api} settings={settings} onChange={change} onResult={setResult} />
            <DeviceList api={api} settings={settings} onChange={change} onRemoved={onRemoved} />
            <fieldset class="choice">
              <legend>{words.events}</legend>
              {EVENTS.map((event) => (
                <SwitchField
                  key={event}
                  name={`notify-${event}`}
                  label={words.labels[event]}
                  isOn={settings[event]}
                  onToggle={(isOn) => choose({ ...choicesOf(settings, settings.quiet_hours), [event]: isOn })}
                />
              ))}
            </fieldset>
            <QuietHoursPart quiet={settings.quiet_hours} onChange={(quiet) => choose(choicesOf(settings, quiet ?? undefined))} />
            {settings.mail !== undefined && <MailPart api={api} mail={settings.mail} onChange={(mail) => change({ mail })} onResult={setResult} onReplaced={onRemoved} />}
          </>
        )}
        <p role="status" data-testid="notifications-result">
          {result}
        </p>
      </section>
      {settings?.webhooks === true && <WebhooksSection user={user} api={api} />}
    </>
  );
}

function choicesOf({ turn, started }: NotificationSettings, quiet: QuietHours | undefined): NotificationChoices {
  return { turn, started, ...(quiet === undefined ? {} : { quiet_hours: quiet }) };
}
