import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { askPermission, canNotify } from '../notifications.ts';
import { Switch } from './switch.tsx';

/**
 * The switch for notifications of the user's turn, if the browser can display any. When the user
 * switches them on, it asks for the permission.
 */
export function NotificationSwitch(): JSX.Element | null {
  const { notify } = useClient().preferences;
  const [canShow, setCanShow] = useState(false);
  const [denied, setDenied] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void canNotify().then((can) => (isMounted ? setCanShow(can) : undefined));
    return () => {
      isMounted = false;
    };
  }, []);
  if (!canShow) return null;
  const toggle = async (on: boolean): Promise<void> => {
    const allowed = !on || (await askPermission());
    setDenied(!allowed);
    notify.value = on && allowed;
  };
  return <Switch name="notify" hint={denied ? text.preferences.hints.notifyDenied : text.preferences.hints.notify} onToggle={(on) => void toggle(on)} />;
}
