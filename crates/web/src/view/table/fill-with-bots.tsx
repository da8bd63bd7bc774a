import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { botChoicesFor, lastBot } from '../../store/bot-choices.ts';
import { freeSeats, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { text } from '../../text/index.ts';
import { useBots } from '../bots.ts';
import { useClient } from '../context.ts';

/** The host's button that seats a bot of the last chosen strength in every free seat. */
export function FillWithBots({ store, state }: { store: TableStore; state: TableState }): JSX.Element | null {
  const client = useClient();
  const bots = useBots();
  const [isBusy, setIsBusy] = useState(false);
  const { settings } = state;
  if (!store.isHost || settings.rated || state.state.phase !== 'open' || freeSeats(state).length === 0) return null;
  const bot = lastBot(client.persistence, botChoicesFor(bots, settings.variant));
  const fill = async (): Promise<void> => {
    setIsBusy(true);
    await store.fillWithBots(bot);
    setIsBusy(false);
  };
  return (
    <button type="button" class="button fill-with-bots" data-testid="fill-with-bots" disabled={isBusy} onClick={() => void fill()}>
      {text.invite.fill(text.bots.choice(bot))}
    </button>
  );
}
