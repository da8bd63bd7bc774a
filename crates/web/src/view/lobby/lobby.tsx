import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TableSummary, Variant } from '../../protocol/generated.ts';
import { partLobby } from '../../store/lobby.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useQuickJoin } from '../quick-join.ts';
import { NewTable } from './new-table.tsx';
import { TableRow } from './table-row.tsx';

/** The games one press finds a seat for. */
const QUICK: readonly Variant[] = ['dilkel', 'classic'];

/** The first page: tables to sit at, tables to watch, one's own, and a new one. */
export function Lobby(): JSX.Element {
  const client = useClient();
  const [making, setMaking] = useState(false);
  const quick = useQuickJoin();
  const live = client.publicTables.value;
  const user = client.user.value?.id ?? null;
  useEffect(() => client.connection.followLobby(), [client]);
  // Private tables are in no list that is sent: ask when the page is shown and when one becomes somebody.
  useEffect(() => {
    if (user !== null) void client.refreshOwnTables();
  }, [client, user]);

  const { yours, open, running } = partLobby(live, client.ownTables.value, user);
  return (
    <>
      <main class="lobby">
        <section class="hero">
          <div>
            <h1>{text.lobby.headline}</h1>
            <p class="quiet">{text.lobby.tagline}</p>
          </div>
          <div class="hero-ways">
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
        </section>
        {yours.length > 0 && <Rows title={text.lobby.yours} tables={yours} none="" />}
        {live === null ? (
          <p class="quiet" aria-busy="true">
            {text.lobby.loading}
          </p>
        ) : (
          <>
            <Rows title={text.lobby.open} tables={open} none={text.lobby.noneOpen} />
            <Rows title={text.lobby.running} tables={running} none={text.lobby.noneRunning} />
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

function Rows({ title, tables, none }: { title: string; tables: readonly TableSummary[]; none: string }): JSX.Element {
  return (
    <section class="tables">
      <h2>{title}</h2>
      {tables.length === 0 ? (
        <p class="none">{none}</p>
      ) : (
        <ul class="rows">
          {tables.map((summary) => (
            <TableRow key={summary.table} summary={summary} />
          ))}
        </ul>
      )}
    </section>
  );
}
