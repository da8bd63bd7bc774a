import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { BoardView, SeatView, TableSummary } from '../../protocol/generated.ts';
import type { LiveTables } from '../../store/live-tables.ts';
import { isActive, type TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { headline } from '../../text/sentence.ts';
import { timeControlText } from '../../text/settings.ts';
import { Layout } from '../board/geometry.ts';
import { checkMarks, moveMarks } from '../board/marks.ts';
import { StaticBoard } from '../board/static-board.tsx';
import { useInViewport } from '../in-viewport.ts';
import { ShortUserName } from '../user-name.tsx';
import { VariantEmblem } from '../variant-emblem.tsx';

interface LiveBoardProps {
  readonly live: LiveTables;
  readonly summary: TableSummary;
}

/** A running table as a small live board with a link. It is followed while it is visible. */
export function LiveBoard({ live, summary }: LiveBoardProps): JSX.Element {
  const { table, settings, seats } = summary;
  const element = useRef<HTMLLIElement>(null);
  const isVisible = useInViewport(element);
  useEffect(() => (isVisible ? live.show(table) : undefined), [live, table, isVisible]);
  const state = live.storeOf(table).state.value;
  return (
    <li ref={element} class="live" data-testid="live" data-table={table} data-seq={state?.seq}>
      <a class="live-link" href={`/t/${table}`}>
        <span class="visually-hidden">{text.lobby.watch}</span>
        <span class="live-board" aria-hidden="true">{state !== null && <LivePicture state={state} board={state.board} />}</span>
        <span class="live-status" data-color={state?.state.turn}>
          {state === null ? '' : headline(state)}
        </span>
        <ul class="live-seats">
          {(state?.seats ?? seats).map((seat) => (
            <LiveSeat key={seat.color} seat={seat} state={state} />
          ))}
        </ul>
        <span class="live-details quiet">
          <span class="with-emblem">
            <VariantEmblem variant={settings.variant} />
            {`${text.variants[settings.variant].name} · ${timeControlText(settings)}`}
          </span>
          <span>{text.table.spectators(state?.spectators ?? 0)}</span>
        </span>
      </a>
    </li>
  );
}

/** The still picture of a table's present board. */
export function LivePicture({ state, board }: { state: TableState; board: BoardView }): JSX.Element {
  const layout = useMemo(() => new Layout(board, 'south'), [board]);
  return (
    <StaticBoard
      layout={layout}
      pieces={state.pieces}
      seats={state.seats}
      marks={moveMarks(state)}
      checks={checkMarks(state, state.pieces)}
    />
  );
}

/** A seat below a small board. */
export function LiveSeat({ seat, state }: { seat: SeatView; state: TableState | null }): JSX.Element {
  const inMatch = state === null || isActive(state, seat.color);
  return (
    <li class="live-seat" data-color={seat.color} data-turn={state?.state.turn === seat.color} data-in={inMatch}>
      <span class="plate-chip" aria-hidden="true" />
      {seat.user === null ? <span class="short-name">{text.colors[seat.color]}</span> : <ShortUserName user={seat.user} />}
    </li>
  );
}
