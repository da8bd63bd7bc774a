import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { hiddenCount, type LobbyWindow } from '../../store/lobby.ts';
import { TablePages } from '../../store/table-pages.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { TableRow } from './table-row.tsx';

interface MoreTablesProps {
  readonly lobby: LobbyWindow;
  /** Returns whether a table is shown elsewhere on the page. */
  isShown(table: string): boolean;
}

/** The public tables that the lobby has no room for: how many there are, and, page by page, which. */
export function MoreTables({ lobby, isShown }: MoreTablesProps): JSX.Element | null {
  const client = useClient();
  const pages = useMemo(() => new TablePages(client.api), [client]);
  const hidden = hiddenCount(lobby);
  const standing = pages.loadState.value;
  if (hidden === 0 && standing === null) return null;
  const rows = pages.tables.value.filter(({ table }) => !isShown(table));
  return (
    <section class="tables more-tables" data-testid="more-tables" aria-busy={standing === 'loading'}>
      <h2>{text.lobby.more(hidden)}</h2>
      {rows.length > 0 && (
        <ul class="rows">
          {rows.map((summary) => (
            <TableRow key={summary.table} summary={summary} />
          ))}
        </ul>
      )}
      {standing === 'failed' && <p role="alert">{text.lobby.moreFailed}</p>}
      {pages.hasMore.value && (
        <button
          type="button"
          class="button more"
          data-testid="tables-more"
          disabled={standing === 'loading'}
          onClick={() => void pages.load()}
        >
          {standing === 'failed' ? text.archive.again : text.archive.more}
        </button>
      )}
    </section>
  );
}
