import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { askPermission, canNotify } from '../notifications.ts';
import { Switch } from './switch.tsx';

/**
 * The switch for notifications of one's turn, where the browser can show any. It asks for the permission only because
 * somebody has just asked for notifications.
 */
export function Notify(): JSX.Element | null {
  const { notify } = useClient().preferences;
  const [offered, offer] = useState(false);
  const [denied, setDenied] = useState(false);
  useEffect(() => {
    let wanted = true;
    void canNotify().then((can) => (wanted ? offer(can) : undefined));
    return () => {
      wanted = false;
    };
  }, []);
  if (!offered) return null;
  const toggle = async (on: boolean): Promise<void> => {
    const allowed = !on || (await askPermission());
    setDenied(!allowed);
    notify.value = on && allowed;
  };
  return <Switch name="notify" hint={denied ? text.preferences.hints.notifyDenied : text.preferences.hints.notify} onToggle={(on) => void toggle(on)} />;
}
