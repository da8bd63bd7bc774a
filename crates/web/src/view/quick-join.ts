import { useState } from 'preact/hooks';
import type { QuickJoin } from '../protocol/generated.ts';
import { useClient } from './context.ts';
import { goTo } from './router.ts';

/**
 * Returns a function that takes a seat at any suitable table. It opens the table, or shows the
 * reason why no seat was found.
 */
export function useQuickJoin(): { readonly busy: boolean; join(body: QuickJoin): Promise<void> } {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const join = async (body: QuickJoin): Promise<void> => {
    setBusy(true);
    try {
      const { table } = await client.quickJoin(body);
      goTo(`/t/${table}`);
    } catch (error) {
      client.report(error);
    }
    setBusy(false);
  };
  return { busy, join };
}
