import type { JSX } from 'preact';
import { seatsToResign } from '../../store/own-seats.ts';
import type { TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface ResignProps {
  readonly store: TableStore;
  readonly state: TableState;
  readonly onClose: () => void;
}

/** The question before resigning. With several seats it asks which of them resigns. */
export function Resign({ store, state, onClose }: ResignProps): JSX.Element | null {
  const seats = seatsToResign(state);
  const [only] = seats;
  const hint = state.state.active_players.length > 2 ? text.play.resignHintMany : text.play.resignHintTwo;
  if (only === undefined) return null;
  if (seats.length > 1) {
    return (
      <Dialog title={text.hotseat.resignWhich} onClose={onClose}>
        <p>{hint}</p>
        <div class="buttons align-end">
          <button type="button" class="button" onClick={onClose}>
            {text.play.keepPlaying}
          </button>
          {seats.map((color) => (
            <button
              key={color}
              type="button"
              class="button danger"
              data-testid={`resign-${color}`}
              onClick={() => {
                onClose();
                void store.resign(color);
              }}
            >
              {text.hotseat.resignAs(color)}
            </button>
          ))}
        </div>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={state.ownSeats.length > 1 ? text.hotseat.resignTitle(only) : text.play.resignTitle}
      confirmLabel={text.play.resign}
      cancelLabel={text.play.keepPlaying}
      testId="resign-confirm"
      onConfirm={() => void store.resign(only)}
      onClose={onClose}
    >
      {hint}
    </ConfirmDialog>
  );
}
