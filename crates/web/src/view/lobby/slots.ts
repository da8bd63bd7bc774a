import { useRef } from 'preact/hooks';
import type { TableSummary } from '../../protocol/generated.ts';
import { fillSlots, type Slot } from '../../store/slots.ts';

/** A list of tables in places that do not jump as tables come and go. */
export function useSlots(tables: readonly TableSummary[], most?: number): readonly Slot<TableSummary>[] {
  const slots = useRef<readonly Slot<TableSummary>[]>([]);
  slots.current = fillSlots(slots.current, tables, ({ table }) => table, most);
  return slots.current;
}
