import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { serviceWorkers } from '../../../offline/updates.ts';
import type { NotificationSettings, UserView } from '../../../protocol/generated.ts';
import type { NotificationsApi } from '../../../store/notifications-api.ts';
import { Push, type PushState } from '../../../store/push.ts';
import { currentLanguage } from '../../../text/languages.ts';
import { text } from '../../../text/index.ts';
import { useClient } from '../../context.ts';
import { askPermission } from '../../notifications.ts';
import { SwitchField } from '../switch-field.tsx';

interface PushPartProps {
  readonly user: UserView;
  readonly api: NotificationsApi;
  readonly settings: NotificationSettings;
  readonly onChange: (changes: Partial<NotificationSettings>) => void;
  /** Called with what has been done. */
  readonly onResult: (result: string) => void;
}

/** The switch for notifications in this browser, and a button for a test. */
export function PushPart({ user, api, settings, onChange, onResult }: PushPartProps): JSX.Element {
  const client = useClient();
  const words = text.notifications;
  const push = useMemo(() => new Push(api, client.persistence, async () => (await serviceWorkers()?.getRegistration()) ?? null), [api, client]);
  const [state, setState] = useState<PushState | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { subscriptions } = settings;
  useEffect(() => {
    let isMounted = true;
    push.state(subscriptions).then(
      (known) => (isMounted ? setState(known) : undefined),
      () => (isMounted ? setState('unsupported') : undefined),
    );
    return () => {
      isMounted = false;
    };
  }, [push, subscriptions]);
  const reload = async (): Promise<void> => onChange({ subscriptions: (await api.settings()).subscriptions });
  const turnOn = async (publicKey: string): Promise<void> => {
    if (!(await askPermission())) return setState('denied');
    await push.subscribe(publicKey, user.id, currentLanguage());
    await reload();
    onResult(words.isOn);
  };
  const turnOff = async (): Promise<void> => {
    await push.unsubscribe();
    await reload();
    onResult(words.isOff);
  };
  const toggle = async (isOn: boolean, publicKey: string): Promise<void> => {
    setBusy(true);
    onResult('');
    try {
      await (isOn ? turnOn(publicKey) : turnOff());
    } catch (error) {
      // A refusal of the browser has a message for programmers only.
      if (error instanceof DOMException) onResult(words.failed);
      else client.report(error);
    } finally {
      setBusy(false);
    }
  };
  const test = (): void => {
    const known = push.known();
    if (known === null) return;
    api.testPush(known.id).then(
      () => onResult(words.testSent),
      (failure: unknown) => client.report(failure),
    );
  };
  const publicKey = settings.push?.public_key;
  if (publicKey === undefined) return <p data-testid="push-not-offered">{words.notOffered}</p>;
  const isPossible = state === 'on' || state === 'off';
  return (
    <>
      <SwitchField
        name="push"
        label={words.here}
        hint={state === null ? undefined : hintOf(state)}
        isOn={state === 'on'}
        disabled={!isPossible || isBusy}
        onToggle={(isOn) => void toggle(isOn, publicKey)}
      />
      {state === 'on' && (
        <button type="button" class="button small" data-testid="test-push" onClick={test}>
          {words.test}
        </button>
      )}
    </>
  );
}

function hintOf(state: PushState): string | undefined {
  if (state === 'denied') return text.preferences.hints.notifyDenied;
  if (state !== 'unsupported') return undefined;
  return isIos() ? text.notifications.homeScreen : text.notifications.unsupported;
}

/** Returns whether this is an iPhone or iPad, where only installed pages get notifications. */
function isIos(): boolean {
  return /iPhone|iPad/.test(navigator.userAgent) || (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);
}
