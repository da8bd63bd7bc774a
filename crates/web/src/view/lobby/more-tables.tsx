import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { hiddenCount, type LobbyWindow } from '../../store/lobby.ts';
import { TablePages } from '../../store/table-pages.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { TableRow } from './table-row.tsx';

interface MoreTablesProps {
  readonly lobby: LobbyWindow;
  /** Returns whether the page displays a table elsewhere. */
  isShown(table: string): boolean;
}

/**
 * The public tables that are not in the lobby's list. Their number is displayed first; the tables
 * are loaded page by page.
 */
export function MoreTables({ lobby, isShown }: MoreTablesProps): JSX.Element | null {
  const client = useClient();
  const pages = useMemo(() => new TablePages(client.api), [client]);
  const hidden = hiddenCount(lobby);
  const loadState = pages.loadState.value;
  if (hidden === 0 && loadState === null) return null;
  const rows = pages.tables.value.filter(({ table }) => !isShown(table));
  return (
    <section class="tables more-tables" data-testid="more-tables" aria-busy={loadState === 'loading'}>
      <h2>{text.lobby.moreTables(hidden)}</h2>
      {rows.length > 0 && (
        <ul class="rows">
          {rows.map((summary) => (
            <TableRow key={summary.table} summary={summary} />
          ))}
        </ul>
      )}
      {loadState === 'failed' && <p role="alert">{text.lobby.loadFailed}</p>}
      {pages.hasMore.value && (
        <button
          type="button"
          class="button more"
          data-testid="tables-more"
          disabled={loadState === 'loading'}
          onClick={() => void pages.load()}
        >
          {loadState === 'failed' ? text.archive.tryAgain : text.archive.showMore}
        </button>
      )}
    </section>
  );
}
