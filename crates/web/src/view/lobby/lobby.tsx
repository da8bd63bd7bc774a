import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { TableSummary, Variant } from '../../protocol/generated.ts';
import type { Client } from '../../store/client.ts';
import { LiveTables } from '../../store/live-tables.ts';
import { isTurnOf, groupTables, yourTurnFirst } from '../../store/lobby.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useQuickJoin } from '../quick-join.ts';
import { useTabVisibility } from '../in-viewport.ts';
import { AgainstBots } from './against-bots.tsx';
import { Invitation } from './invitation.tsx';
import { LiveBoards, MOST_LIVE } from './live-boards.tsx';
import { MoreTables } from './more-tables.tsx';
import { NewTable } from './new-table.tsx';
import { useSlots } from './slots.ts';
import { GoneRow, TableRow } from './table-row.tsx';

/** The games one press finds a seat for. */
const QUICK: readonly Variant[] = ['dilkel', 'classic'];

/** Interval of requests for the user's own tables outside the window. */
const OWN_NEWS_MS = 15_000;

/** The first page: tables to sit at, tables to watch, one's own, and a new one. */
export function Lobby(): JSX.Element {
  const client = useClient();
  const [making, setMaking] = useState(false);
  const quick = useQuickJoin();
  const live = client.publicTables.value;
  const user = client.user.value?.id ?? null;
  useEffect(() => client.connection.followLobby(), [client]);
  // Private tables, and public ones outside the window, are in no list that is sent: ask when the page is shown and when one becomes somebody.
  useEffect(() => {
    if (user !== null) void client.refreshOwnTables();
  }, [client, user]);

  const tables = useMemo(() => new LiveTables(client), [client]);
  useTabVisibility(useCallback((shown: boolean) => tables.setPageVisible(shown), [tables]));
  const { yours, open, running } = groupTables(live, client.ownTables.value, user);
  // A look at the lobby is no look at one's own tables: who is here is not there, and nobody is told otherwise.
  useNewsOf(yours, client);
  return (
    <>
      <main id="content" class="lobby">
        <section class="hero">
          <div>
            <h1>{text.lobby.headline}</h1>
            <p class="quiet">{text.lobby.tagline}</p>
          </div>
          <div class="hero-actions">
            {QUICK.map((variant) => (
              <button
                key={variant}
                type="button"
                class="button primary large"
                data-testid={`quick-${variant}`}
                disabled={quick.busy}
                onClick={() => void quick.join({ variant })}
              >
                {text.lobby.quick(variant)}
              </button>
            ))}
            <button type="button" class="button large" data-testid="new-table" onClick={() => setMaking(true)}>
              {text.lobby.newTable}
            </button>
          </div>
          <AgainstBots />
        </section>
        {yours.length > 0 && (
          <section class="tables">
            <h2>{text.lobby.yours}</h2>
            <ul class="rows">
              {yourTurnFirst(yours, user).map((summary) => (
                <TableRow key={summary.table} summary={summary} yourTurn={isTurnOf(user, summary)} />
              ))}
            </ul>
          </section>
        )}
        {live === null ? (
          <p class="lobby-loading quiet" aria-busy="true">
            {text.lobby.loading}
          </p>
        ) : (
          <>
            <Others tables={tables} open={open} running={running} alone={yours.length === 0} onMake={() => setMaking(true)} />
            <MoreTables lobby={live} isShown={(table) => [yours, open, running].flat().some((shown) => shown.table === table)} />
          </>
        )}
        {making && <NewTable onClose={() => setMaking(false)} />}
      </main>
      <footer class="footer">
        <a href="/licences.html">{text.licences}</a>
      </footer>
    </>
  );
}

/**
 * Polls the tables outside the window, for which the server publishes nothing, as long as one is
 * played.
 */
function useNewsOf(tables: readonly TableSummary[], client: Client): void {
  const isPlayed = tables.some((summary) => summary.phase === 'running' && !client.isInLobbyWindow(summary.table));
  useEffect(() => {
    if (!isPlayed) return undefined;
    const timer = setInterval(() => void client.refreshOwnTables(), OWN_NEWS_MS);
    return () => clearInterval(timer);
  }, [isPlayed, client]);
}

interface OthersProps {
  readonly tables: LiveTables;
  readonly open: readonly TableSummary[];
  readonly running: readonly TableSummary[];
  /** Set if the user has no table. */
  readonly alone: boolean;
  readonly onMake: () => void;
}

/** Others' tables: where one may sit, and what is being played. One that begins or closes keeps its place. */
function Others({ tables, open, running, alone, onMake }: OthersProps): JSX.Element {
  const slots = useSlots(open);
  const boards = useSlots(running, MOST_LIVE);
  if (alone && slots.length === 0 && boards.length === 0) return <Invitation onMake={onMake} />;
  return (
    <div class="lobby-others">
      <section class="tables">
        <h2>{text.lobby.open}</h2>
        {slots.length === 0 ? (
          <p class="empty">{text.lobby.noneOpen}</p>
        ) : (
          <ul class="rows">
            {slots.map(({ id, value, isGone: gone }) =>
              gone ? <GoneRow key={id} summary={value} /> : <TableRow key={id} summary={value} />,
            )}
          </ul>
        )}
      </section>
      <LiveBoards live={tables} running={running} slots={boards} />
    </div>
  );
}
