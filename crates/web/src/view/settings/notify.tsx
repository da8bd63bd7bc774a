import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { Switch } from './switch.tsx';

/** Whether one is told of one's turn: the browser asks first, and only because somebody has just asked for it. */
export function Notify(): JSX.Element | null {
  const { notify } = useClient().preferences;
  const [denied, setDenied] = useState(false);
  if (!('Notification' in globalThis)) return null;
  const toggle = async (on: boolean): Promise<void> => {
    const allowed = !on || (await Notification.requestPermission()) === 'granted';
    setDenied(!allowed);
    notify.value = on && allowed;
  };
  return <Switch name="notify" hint={denied ? text.preferences.hints.notifyDenied : text.preferences.hints.notify} onToggle={(on) => void toggle(on)} />;
}
