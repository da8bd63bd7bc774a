import { useEffect } from 'preact/hooks';
import type { TableStore } from '../../store/table-store.ts';

/** Takes a seat for a user who has just opened an invite. It tries this once. */
export function useInvitedSeat(store: TableStore): void {
  const mustSit = store.awaitsInvitedSeat.value;
  useEffect(() => {
    if (mustSit) void store.sitByInvite();
  }, [store, mustSit]);
}
