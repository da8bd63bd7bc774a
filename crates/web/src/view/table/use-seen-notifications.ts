import { useEffect } from 'preact/hooks';
import type { TableId } from '../../protocol/generated.ts';
import { closeNotifications } from '../notifications.ts';

/** Closes the displayed notifications about a table whenever the user sees its page. */
export function useSeenNotifications(table: TableId): void {
  useEffect(() => {
    const close = (): void => {
      if (!document.hidden) void closeNotifications(table);
    };
    close();
    document.addEventListener('visibilitychange', close);
    return () => document.removeEventListener('visibilitychange', close);
  }, [table]);
}
