import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SeatView } from '../../protocol/generated.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** The host's button that kicks a player, after a question. */
export function Kick({ store, seat }: { store: TableStore; seat: SeatView }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const name = seat.user === null ? '' : nameOf(seat.user);
  return (
    <>
      <button
        type="button"
        class="button small seat-button kick"
        data-testid={`kick-${seat.color}`}
        aria-label={text.table.kickPlayer(name)}
        onClick={() => setOpen(true)}
      >
        {text.table.kick}
      </button>
      {isOpen && (
        <ConfirmDialog
          title={text.table.kickTitle(name)}
          confirmLabel={text.table.kick}
          testId="kick-confirm"
          onConfirm={() => void store.kick(seat.color)}
          onClose={() => setOpen(false)}
        >
          {text.table.kickHint}
        </ConfirmDialog>
      )}
    </>
  );
}
