import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SeatView } from '../../protocol/generated.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { LEVELS } from '../lobby/levels.ts';

/** The host's button that puts a bot into an open seat. */
export function AddBot({ store, seat }: { store: TableStore; seat: SeatView }): JSX.Element {
  const [asking, setAsking] = useState(false);
  const add = (level: number): void => {
    setAsking(false);
    void store.addBot(seat.color, { kind: 'built_in', level });
  };
  return (
    <>
      <button
        type="button"
        class="button small seat-button"
        data-testid={`add-bot-${seat.color}`}
        aria-label={text.bots.addWho(text.colors[seat.color])}
        onClick={() => setAsking(true)}
      >
        {text.bots.add}
      </button>
      {asking && (
        <Dialog title={text.bots.addTitle} onClose={() => setAsking(false)}>
          <div class="bot-levels">
            {LEVELS.map((level) => (
              <button key={level} type="button" class="button" data-testid={`bot-level-${level}`} onClick={() => add(level)}>
                {text.bots.levels(level)}
              </button>
            ))}
          </div>
        </Dialog>
      )}
    </>
  );
}
