import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../../connection/outbox.ts';
import type { TableId } from '../../protocol/generated.ts';
import type { AdminApi } from '../../store/admin-api.ts';
import { text } from '../../text/index.ts';
import { useSubmission } from '../use-submission.ts';
import { ReasonDialog } from './reason-dialog.tsx';

/** The button with which an operator closes the table of a report, after a question. */
export function CloseTable({ api, table }: { api: AdminApi; table: TableId }): JSX.Element {
  const words = text.reports;
  const [isOpen, setOpen] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const submission = useSubmission();
  const close = async (reason: string): Promise<void> => {
    try {
      await api.closeTable(table, { reason });
    } catch (failure) {
      // Somebody else has closed it.
      if (!(failure instanceof Refusal) || failure.code !== 'ended') throw failure;
    }
    setClosed(true);
    setOpen(false);
  };
  return (
    <div class="buttons">
      <button type="button" class="button" data-testid="close-table" disabled={isClosed} onClick={() => setOpen(true)}>
        {isClosed ? words.outcomes.table_closed : words.closeTable}
      </button>
      {isOpen && (
        <ReasonDialog title={words.closeTableTitle} confirmLabel={words.closeTable} hint={words.closeTableHint} reasonHint={words.closeTableReason} submission={submission} onSubmit={close} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}
