import { useRef } from 'preact/hooks';
import type { TableSummary } from '../../protocol/generated.ts';
import { fillSlots, type Slot } from '../../store/slots.ts';

/** Returns a list of tables in slots, so that tables stay in place when others come and go. */
export function useSlots(tables: readonly TableSummary[], maxSlots?: number): readonly Slot<TableSummary>[] {
  const slots = useRef<readonly Slot<TableSummary>[]>([]);
  slots.current = fillSlots(slots.current, tables, ({ table }) => table, maxSlots);
  return slots.current;
}
