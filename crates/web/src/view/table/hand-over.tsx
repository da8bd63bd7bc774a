import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Handover, TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { CopyLink } from './copy-link.tsx';

const MINUTE_MS = 60_000;

/** The way to go on from another device: a link that is good once and soon ends. */
export function HandOver({ store }: { store: TableStore }): JSX.Element {
  const client = useClient();
  const [made, setMade] = useState<(Handover & { readonly left_ms: number }) | null>(null);
  const make = async (): Promise<void> => {
    try {
      const handover = await store.createHandover();
      setMade({ ...handover, left_ms: Math.max(1, Math.round((handover.expires_at_ms - Date.now()) / MINUTE_MS)) * MINUTE_MS });
    } catch (error) {
      client.report(error);
    }
  };
  return (
    <>
      <button type="button" class="link-button" data-testid="handover" onClick={() => void make()}>
        {text.handover.open}
      </button>
      {made !== null && (
        <Dialog title={text.handover.open} onClose={() => setMade(null)}>
          <p>{text.handover.hint(made.left_ms)}</p>
          <CopyLink link={made.link} label={text.handover.label} testId="handover-link" />
        </Dialog>
      )}
    </>
  );
}
