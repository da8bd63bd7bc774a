import { useEffect } from 'preact/hooks';
import type { TableStore } from '../../store/table-store.ts';

/** Seats a visitor who has just opened an invite, once. */
export function useInvitedSeat(store: TableStore): void {
  const isDue = store.awaitsInvitedSeat.value;
  useEffect(() => {
    if (isDue) void store.sitByInvite();
  }, [store, isDue]);
}
