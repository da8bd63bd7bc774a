import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { botChoicesFor, lastBot } from '../../store/bot-choices.ts';
import { joinableTables, takenSeats } from '../../store/lobby.ts';
import { isWaiting, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { VARIANTS } from '../../store/variants.ts';
import type { TableId } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { useBots } from '../bots.ts';
import { useClient } from '../context.ts';
import { goTo } from '../router.ts';

/** The time for which a user waits for players before the offer is shown, in milliseconds. */
const OFFER_DELAY_MS = 20_000;
/** The largest number of other tables in the offer. */
const MAX_TABLES = 2;

interface WaitingOfferProps {
  readonly store: TableStore;
  readonly state: TableState;
}

/** The offer to a user who has waited in vain at a public table: bots for the open seats, or another game. */
export function WaitingOffer({ store, state }: WaitingOfferProps): JSX.Element | null {
  const waits = isWaiting(state) && state.settings.privacy === 'public';
  const [hasWaitedLong, setWaitedLong] = useState(false);
  useEffect(() => {
    setWaitedLong(false);
    if (!waits) return undefined;
    const timer = setTimeout(() => setWaitedLong(true), OFFER_DELAY_MS);
    return () => clearTimeout(timer);
  }, [waits]);
  return waits && hasWaitedLong ? <Offer store={store} state={state} /> : null;
}

function Offer({ store, state }: WaitingOfferProps): JSX.Element {
  const client = useClient();
  const bot = lastBot(client.persistence, botChoicesFor(useBots(), state.settings.variant));
  const [busy, setBusy] = useState(false);
  useEffect(() => client.connection.followLobby(), [client]);
  const user = client.user.value?.id ?? null;
  const joinable = joinableTables(client.publicTables.value, user).filter(({ table }) => table !== state.table);
  // For each variant, at most one table is offered: the table with the fewest open seats.
  const others = joinable.filter(({ settings }, index) => joinable.findIndex((first) => first.settings.variant === settings.variant) === index);
  const games = VARIANTS.filter((variant) => variant !== state.settings.variant && !others.some(({ settings }) => settings.variant === variant));

  // The seat at this table is given up only after the user has a seat at another table.
  const move = async (seat: () => Promise<TableId>): Promise<void> => {
    setBusy(true);
    try {
      const table = await seat();
      void store.leave();
      goTo(`/t/${table}`);
    } catch (error) {
      client.report(error);
      setBusy(false);
    }
  };
  const sitAt = async (table: TableId): Promise<TableId> => {
    await client.connection.command({ t: 'sit', table });
    return table;
  };

  return (
    <section class="card waiting-offer" aria-labelledby="waiting-offer" data-testid="waiting-offer">
      <h2 id="waiting-offer">{text.waitingOffer.title}</h2>
      <p class="quiet">{text.waitingOffer.hint}</p>
      <div class="waiting-ways">
        {store.isHost && !state.settings.rated && (
          <button type="button" class="button primary" data-testid="offer-bots" disabled={busy} onClick={() => void store.fillWithBots(bot)}>
            {text.waitingOffer.fillWithBots}
          </button>
        )}
        {others.slice(0, MAX_TABLES).map((summary) => (
          <button
            key={summary.table}
            type="button"
            class="button"
            data-testid="offer-table"
            data-table={summary.table}
            disabled={busy}
            onClick={() => void move(() => sitAt(summary.table))}
          >
            {text.waitingOffer.join(summary.settings.variant, takenSeats(summary), summary.seats.length)}
          </button>
        ))}
        {games.map((variant) => (
          <button
            key={variant}
            type="button"
            class="button"
            data-testid={`offer-${variant}`}
            disabled={busy}
            onClick={() => void move(async () => (await client.quickJoin({ variant })).table)}
          >
            {text.lobby.playNow(variant)}
          </button>
        ))}
      </div>
    </section>
  );
}
