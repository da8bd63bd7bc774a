import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SeatView } from '../../protocol/generated.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { Confirm } from './confirm.tsx';

/** The host's button that puts somebody out of a seat; asks first, for it cannot be undone. */
export function Kick({ store, seat }: { store: TableStore; seat: SeatView }): JSX.Element {
  const [asking, setAsking] = useState(false);
  const name = seat.user?.name ?? '';
  return (
    <>
      <button
        type="button"
        class="button small seat-button kick"
        data-testid={`kick-${seat.color}`}
        aria-label={text.table.kickWho(name)}
        onClick={() => setAsking(true)}
      >
        {text.table.kick}
      </button>
      {asking && (
        <Confirm
          title={text.table.kickTitle(name)}
          action={text.table.kick}
          testId="kick-confirm"
          onConfirm={() => void store.kick(seat.color)}
          onClose={() => setAsking(false)}
        >
          {text.table.kickHint}
        </Confirm>
      )}
    </>
  );
}
