import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { TableSummary, Variant } from '../../protocol/generated.ts';
import { LiveTables } from '../../store/live-tables.ts';
import { groupTables, yourTurnFirst } from '../../store/lobby.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useQuickJoin } from '../quick-join.ts';
import { useTabVisibility } from '../in-viewport.ts';
import { BotMatchForm } from './bot-match-form.tsx';
import { EmptyLobby } from './empty-lobby.tsx';
import { LiveBoards, MAX_LIVE_BOARDS } from './live-boards.tsx';
import { MoreTables } from './more-tables.tsx';
import { NewTableDialog } from './new-table-dialog.tsx';
import { useSlots } from './use-slots.ts';
import { ClosedTableRow, TableRow } from './table-row.tsx';

/** The variants with a button for a quick seat. */
const QUICK_VARIANTS: readonly Variant[] = ['dilkel', 'classic'];

/**
 * The page of the lobby: open tables, running tables, the user's own ones, and the ways to a new
 * one.
 */
export function Lobby(): JSX.Element {
  const client = useClient();
  const [isDialogOpen, setDialogOpen] = useState(false);
  const quick = useQuickJoin();
  const lobby = client.publicTables.value;
  const user = client.user.value?.id ?? null;
  useEffect(() => client.connection.followLobby(), [client]);
  const liveTables = useMemo(() => new LiveTables(client), [client]);
  useTabVisibility(useCallback((shown: boolean) => liveTables.setPageVisible(shown), [liveTables]));
  // The user's tables are not followed: a follower would count as present at the table.
  const yours = client.ownTables.value ?? [];
  const { open, running } = groupTables(lobby, yours, user);
  return (
    <>
      <main id="content" class="lobby">
        <section class="hero">
          <div>
            <h1>{text.lobby.headline}</h1>
            <p class="quiet">{text.lobby.tagline}</p>
          </div>
          <div class="hero-actions">
            {QUICK_VARIANTS.map((variant) => (
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
            <button type="button" class="button large" data-testid="new-table" onClick={() => setDialogOpen(true)}>
              {text.lobby.newTable}
            </button>
          </div>
          <BotMatchForm />
        </section>
        {yours.length > 0 && (
          <section class="tables">
            <h2>{text.lobby.yours}</h2>
            <ul class="rows">
              {yourTurnFirst(yours).map((summary) => (
                <TableRow key={summary.table} summary={summary} isYourTurn={summary.your_move} />
              ))}
            </ul>
          </section>
        )}
        {lobby === null ? (
          <p class="lobby-loading quiet" aria-busy="true">
            {text.lobby.loading}
          </p>
        ) : (
          <>
            <OtherTables liveTables={liveTables} open={open} running={running} hasNoTable={yours.length === 0} onNewTable={() => setDialogOpen(true)} />
            <MoreTables lobby={lobby} isShown={(table) => [yours, open, running].flat().some((shown) => shown.table === table)} />
          </>
        )}
        {isDialogOpen && <NewTableDialog onClose={() => setDialogOpen(false)} />}
      </main>
      <footer class="footer">
        <a href="/licences.html">{text.licences}</a>
      </footer>
    </>
  );
}

interface OtherTablesProps {
  readonly liveTables: LiveTables;
  readonly open: readonly TableSummary[];
  readonly running: readonly TableSummary[];
  /** Set if the user has no table. */
  readonly hasNoTable: boolean;
  readonly onNewTable: () => void;
}

/** The tables of others, open and running. A table that starts or closes keeps its slot. */
function OtherTables({ liveTables, open, running, hasNoTable, onNewTable }: OtherTablesProps): JSX.Element {
  const slots = useSlots(open);
  const boards = useSlots(running, MAX_LIVE_BOARDS);
  if (hasNoTable && slots.length === 0 && boards.length === 0) return <EmptyLobby onNewTable={onNewTable} />;
  return (
    <div class="lobby-others">
      <section class="tables">
        <h2>{text.lobby.open}</h2>
        {slots.length === 0 ? (
          <p class="empty">{text.lobby.noneOpen}</p>
        ) : (
          <ul class="rows">
            {slots.map(({ id, value, isGone }) =>
              isGone ? <ClosedTableRow key={id} summary={value} /> : <TableRow key={id} summary={value} />,
            )}
          </ul>
        )}
      </section>
      <LiveBoards live={liveTables} running={running} slots={boards} />
    </div>
  );
}
