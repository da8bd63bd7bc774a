import type { JSX } from 'preact';
import type { Color, SeatView, TableSummary } from '../../protocol/generated.ts';
import type { OwnTableState } from '../../store/own-tables.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import { timeControlText, unusualSettings } from '../../text/settings.ts';
import { useClient } from '../context.ts';
import { MoveTimeLeft } from '../games/move-time-left.tsx';
import { ShortUserName } from '../user-name.tsx';
import { VariantEmblem } from '../variant-emblem.tsx';
import { goTo } from '../router.ts';

interface TableRowProps {
  readonly summary: TableSummary;
  /** The user's turn at the table with its time, if the user may move. */
  readonly ownTurn?: Pick<OwnTableState, 'deadline_ms'> | null;
  /** Set if the viewer may sit down without an invite. */
  readonly isForViewer?: boolean;
}

/** A table in a list, with buttons for taking a seat or watching. */
export function TableRow({ summary, ownTurn = null, isForViewer = false }: TableRowProps): JSX.Element {
  const client = useClient();
  const { table, settings, seats, phase } = summary;
  const user = client.user.value;
  const isSeated = seats.some((seat) => seat.user !== null && seat.user.id === user?.id);
  const lacksAccount = settings.rated && user?.account !== true;
  const maySit = phase === 'open' && !isSeated && !lacksAccount && (isForViewer || settings.admission === 'open' || summary.host.id === user?.id);
  const path = `/t/${table}`;

  const sit = (seat: Color): void => {
    client.connection.command({ t: 'sit', table, seat }).catch((error: unknown) => client.report(error));
    goTo(path);
  };

  return (
    <li class="row" data-testid="table-row" data-table={table} data-phase={phase} data-your-turn={ownTurn !== null}>
      <VariantEmblem variant={settings.variant} seats={seats} />
      <div class="row-details">
        <a class="row-name" href={path}>
          {text.variants[settings.variant].name}
        </a>
        {ownTurn !== null && (
          <>
            <span class="your-turn">{text.table.yourMove}</span> <MoveTimeLeft deadline_ms={ownTurn.deadline_ms} />
          </>
        )}
        <p class="quiet">{tableDetails(summary)}</p>
      </div>
      <ul class="row-seats" aria-label={text.lobby.seatsTaken(seats.filter((seat) => seat.user !== null).length, seats.length)}>
        {seats.map((seat) => (
          <li key={seat.color}>
            <SeatChip seat={seat} onSit={maySit ? () => sit(seat.color) : null} />
          </li>
        ))}
      </ul>
      <a class="button small row-open" href={path}>
        {isSeated && phase === 'running' ? text.lobby.resume : isSeated || phase === 'open' ? text.lobby.openTable : text.lobby.watch}
      </a>
    </li>
  );
}

/** The row of a table that no longer waits for players. */
export function ClosedTableRow({ summary }: { summary: TableSummary }): JSX.Element {
  return (
    <li class="row" data-testid="gone-row" data-table={summary.table} data-gone="true">
      <VariantEmblem variant={summary.settings.variant} seats={summary.seats} />
      <div class="row-details">
        <span class="row-name">{text.variants[summary.settings.variant].name}</span>
        <p class="quiet">{text.lobby.noLongerOpen}</p>
      </div>
      <span class="row-seats" />
      <a class="button small row-open" href={`/t/${summary.table}`}>
        {text.lobby.viewTable}
      </a>
    </li>
  );
}

function SeatChip({ seat, onSit }: { seat: SeatView; onSit: (() => void) | null }): JSX.Element {
  if (seat.user !== null) {
    return (
      <span class="seat-chip" data-color={seat.color} data-held="true" title={`${text.colors[seat.color]}: ${nameOf(seat.user)}`}>
        <ShortUserName user={seat.user} />
      </span>
    );
  }
  if (onSit === null) {
    return (
      <span class="seat-chip" data-color={seat.color} data-held="false">
        {text.colors[seat.color]}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="seat-chip"
      data-color={seat.color}
      data-held="false"
      data-testid={`sit-${seat.color}`}
      onClick={onSit}
    >
      {text.lobby.sit(seat.color)}
    </button>
  );
}

function tableDetails({ host, settings, plies, phase }: TableSummary): string {
  const words = [timeControlText(settings), ...unusualSettings(settings), text.lobby.hostedBy(nameOf(host))];
  if (phase === 'running') words.push(text.lobby.moves(plies));
  return words.join(' · ');
}
