import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { TableSummary } from '../../protocol/generated.ts';
import { LiveTables } from '../../store/live-tables.ts';
import { groupTables, type LobbyState } from '../../store/lobby.ts';
import { waitingFirst } from '../../store/waiting-games.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { useTabVisibility } from '../in-viewport.ts';
import { InvitationList } from '../invitations/invitation-list.tsx';
import { LiveBoards, MAX_LIVE_BOARDS } from './live-boards.tsx';
import { MoreTables } from './more-tables.tsx';
import { NewTableDialog } from './new-table-dialog.tsx';
import { PlayPanel } from './play-panel.tsx';
import { ShowcaseBoard } from './showcase.tsx';
import { useHotseatTable } from './use-hotseat-table.ts';
import { useShowcase } from './use-showcase.ts';
import { useSlots } from './use-slots.ts';
import { ClosedTableRow, TableRow } from './table-row.tsx';

/**
 * The page of the lobby: open tables, running tables, the user's own tables, and the ways to a new
 * table.
 */
export function Lobby(): JSX.Element {
  const client = useClient();
  const [isDialogOpen, setDialogOpen] = useState(false);
  const hotseat = useHotseatTable();
  const lobby = client.publicTables.value;
  const user = client.user.value?.id ?? null;
  useEffect(() => client.connection.followLobby(), [client]);
  const liveTables = useMemo(() => new LiveTables(client), [client]);
  useTabVisibility(useCallback((isVisible: boolean) => liveTables.setPageVisible(isVisible), [liveTables]));
  // The user's own tables are not followed from here, because a follower would count as present at
  // the table.
  const own = client.ownTables.value;
  const yours = own ?? [];
  const { open, running } = groupTables(lobby, yours, user);
  const showcase = useShowcase(lobby === null ? null : running);
  const shownTable = showcase?.kind === 'live' ? showcase.summary.table : null;
  return (
    <>
      <main id="content" class="lobby">
        <section class="hero">
          <div class="hero-head">
            <h1>{text.lobby.headline}</h1>
            <p class="hero-tagline">{text.lobby.tagline}</p>
          </div>
          <PlayPanel>
            <ShowcaseBoard live={liveTables} showcase={showcase} />
          </PlayPanel>
          <div class="hero-more">
            <a class="button" href="/rules">
              {text.playPanel.learn}
            </a>
            <button type="button" class="button" data-testid="one-screen" disabled={hotseat.busy} onClick={() => void hotseat.play()}>
              {text.lobby.oneScreen}
            </button>
            <button type="button" class="button" data-testid="new-table" onClick={() => setDialogOpen(true)}>
              {text.lobby.newTable}
            </button>
          </div>
          <ActivityLine lobby={lobby} />
        </section>
        {lobby === null || own === null ? (
          <p class="lobby-loading quiet" aria-busy="true">
            {text.lobby.loading}
          </p>
        ) : (
          <>
            <InvitationList />
            {yours.length > 0 && (
              <section class="tables">
                <div class="section-head">
                  <h2>{text.lobby.ownTables}</h2>
                  <a href="/games" data-testid="all-games">
                    {text.games.all}
                  </a>
                </div>
                <ul class="rows">
                  {waitingFirst(yours).map((summary) => (
                    <TableRow key={summary.table} summary={summary} ownTurn={summary.your_move ? summary : null} />
                  ))}
                </ul>
              </section>
            )}
            <OtherTables liveTables={liveTables} open={open} running={running} shownTable={shownTable} />
            <MoreTables lobby={lobby} isShown={(table) => [yours, open, running].flat().some((displayed) => displayed.table === table)} />
          </>
        )}
        {isDialogOpen && <NewTableDialog onClose={() => setDialogOpen(false)} />}
      </main>
      {own !== null && lobby !== null && (
        <footer class="footer">
          <a href="/licences.html">{text.licences}</a>
        </footer>
      )}
    </>
  );
}

interface OtherTablesProps {
  readonly liveTables: LiveTables;
  readonly open: readonly TableSummary[];
  readonly running: readonly TableSummary[];
  /** The table that the large board shows. */
  readonly shownTable: string | null;
}

/** The tables of others, open and running. A table that starts or closes keeps its slot. */
function OtherTables({ liveTables, open, running: all, shownTable }: OtherTablesProps): JSX.Element {
  const slots = useSlots(open);
  const running = all.filter(({ table }) => table !== shownTable);
  // A table that is shown on the large board is not shown on a small board as well.
  const boards = useSlots(running, MAX_LIVE_BOARDS).filter(({ id }) => id !== shownTable);
  return (
    <div class="lobby-others">
      <section class="tables">
        <h2>{text.lobby.openTables}</h2>
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

/**
 * The activity on the server: people, tables and matches. Its place is reserved until the numbers
 * are known.
 */
function ActivityLine({ lobby }: { lobby: LobbyState }): JSX.Element {
  const { activity, counts } = lobby ?? { activity: null, counts: null };
  const words = [
    activity !== null && activity.online > 0 ? text.playPanel.online(activity.online) : null,
    counts !== null && counts.open > 0 ? text.playPanel.waiting(counts.open) : null,
    activity !== null && activity.matches_today > 0 ? text.playPanel.today(activity.matches_today) : null,
  ];
  return (
    <p class="hero-activity" data-testid="activity">
      {words.map((word) => (word === null ? null : <span key={word}>{word}</span>))}
    </p>
  );
}
