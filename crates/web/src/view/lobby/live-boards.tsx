import type { JSX } from 'preact';
import type { TableSummary } from '../../protocol/generated.ts';
import type { LiveTables } from '../../store/live-tables.ts';
import type { Slot } from '../../store/slots.ts';
import { text } from '../../text/index.ts';
import { LiveBoard } from './live-board.tsx';
import { TableRow } from './table-row.tsx';

/** Maximum number of boards that move on the page at once. */
export const MOST_LIVE = 6;

interface LiveBoardsProps {
  readonly live: LiveTables;
  readonly running: readonly TableSummary[];
  /** Those of them that are shown as boards. */
  readonly slots: readonly Slot<TableSummary>[];
}

/**
 * Public tables that are being played: some as moving boards, the rest by name. A board whose match ends keeps its place
 * until another begins.
 */
export function LiveBoards({ live, running, slots }: LiveBoardsProps): JSX.Element {
  const rest = running.filter(({ table }) => !slots.some(({ id }) => id === table));
  return (
    <section class="tables live-tables">
      <h2>{text.lobby.live}</h2>
      {slots.length === 0 ? (
        <p class="empty">
          {text.lobby.noneRunning} <a href="/archive">{text.lobby.fromArchive}</a>
        </p>
      ) : (
        <ul class="live-boards">
          {slots.map(({ id, value }) => (
            <LiveBoard key={id} live={live} summary={value} />
          ))}
        </ul>
      )}
      {rest.length > 0 && (
        <ul class="rows" aria-label={text.lobby.moreRunning}>
          {rest.map((summary) => (
            <TableRow key={summary.table} summary={summary} />
          ))}
        </ul>
      )}
    </section>
  );
}
