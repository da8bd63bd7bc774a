import type { JSX } from 'preact';
import type { TableSummary } from '../../protocol/generated.ts';
import type { LiveTables } from '../../store/live-tables.ts';
import type { Slot } from '../../store/slots.ts';
import { text } from '../../text/index.ts';
import { LiveBoard } from './live-board.tsx';
import { TableRow } from './table-row.tsx';

/** The largest number of live boards on the page. */
export const MAX_LIVE_BOARDS = 6;

interface LiveBoardsProps {
  readonly live: LiveTables;
  readonly running: readonly TableSummary[];
  /** The running tables that are displayed as boards. */
  readonly slots: readonly Slot<TableSummary>[];
}

/**
 * The running public tables: some as live boards, the others as rows. The board of an ended match
 * stays until another match needs its slot.
 */
export function LiveBoards({ live, running, slots }: LiveBoardsProps): JSX.Element {
  const otherTables = running.filter(({ table }) => !slots.some(({ id }) => id === table));
  return (
    <section class="tables live-tables">
      <h2>{text.lobby.runningMatches}</h2>
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
      {otherTables.length > 0 && (
        <ul class="rows" aria-label={text.lobby.moreMatches}>
          {otherTables.map((summary) => (
            <TableRow key={summary.table} summary={summary} />
          ))}
        </ul>
      )}
    </section>
  );
}
