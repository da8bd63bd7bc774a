import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { BotChoice, SeatView, Variant } from '../../protocol/generated.ts';
import { botChoicesFor, storeLastBot, optionValue } from '../../store/bot-choices.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { useBots } from '../bots.ts';
import { useClient } from '../context.ts';
import { Dialog } from '../dialog.tsx';

interface AddBotProps {
  readonly store: TableStore;
  readonly seat: SeatView;
  readonly variant: Variant;
}

/** The host's button that adds a bot to an open seat. */
export function AddBot({ store, seat, variant }: AddBotProps): JSX.Element {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const add = (bot: BotChoice): void => {
    setOpen(false);
    storeLastBot(client.persistence, bot);
    void store.addBot(seat.color, bot);
  };
  return (
    <>
      <button
        type="button"
        class="button small seat-button"
        data-testid={`add-bot-${seat.color}`}
        aria-label={text.bots.addAs(seat.color)}
        onClick={() => setOpen(true)}
      >
        {text.bots.add}
      </button>
      {isOpen && (
        <Dialog title={text.bots.addTitle} onClose={() => setOpen(false)}>
          <BotButtons variant={variant} onChoose={add} />
        </Dialog>
      )}
    </>
  );
}

/** The bots that play a variant, each as a button. */
function BotButtons({ variant, onChoose }: { variant: Variant; onChoose: (bot: BotChoice) => void }): JSX.Element {
  const bots = useBots();
  return (
    <div class="bot-levels">
      {botChoicesFor(bots, variant).map((choice) => (
        <button key={optionValue(choice)} type="button" class="button" data-testid={`bot-level-${optionValue(choice)}`} onClick={() => onChoose(choice)}>
          {text.bots.choice(choice)}
        </button>
      ))}
    </div>
  );
}
