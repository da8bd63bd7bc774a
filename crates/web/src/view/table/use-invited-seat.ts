import { useEffect } from 'preact/hooks';
import type { TableStore } from '../../store/table-store.ts';

/** Takes a seat for a user who has just opened an invite. It tries this once. */
export function useInvitedSeat(store: TableStore): void {
  const isDue = store.awaitsInvitedSeat.value;
  useEffect(() => {
    if (isDue) void store.sitByInvite();
  }, [store, isDue]);
}
