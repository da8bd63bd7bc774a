import { useState } from 'preact/hooks';
import type { QuickJoin } from '../protocol/generated.ts';
import { useClient } from './context.ts';
import { goTo } from './router.ts';

/** One press for a seat at any table that fits: goes to the table, or shows why there is none. */
export function useQuickJoin(): { readonly busy: boolean; join(wish: QuickJoin): Promise<void> } {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const join = async (wish: QuickJoin): Promise<void> => {
    setBusy(true);
    try {
      const { table } = await client.quickJoin(wish);
      goTo(`/t/${table}`);
    } catch (error) {
      client.report(error);
    }
    setBusy(false);
  };
  return { busy, join };
}
