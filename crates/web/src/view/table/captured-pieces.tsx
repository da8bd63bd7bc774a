import type { ComponentChildren, JSX } from 'preact';
import type { SeatView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';

interface CapturedPiecesProps {
  readonly seats: readonly SeatView[];
  /** Renders the pieces of a seat. */
  readonly children: (seat: SeatView) => ComponentChildren;
}

/**
 * The reserves and captured pieces below the board, with one line for each seat. They are displayed
 * here on narrow screens, where the plates of the seats have no room for them. All lines exist from
 * the beginning, so that nothing moves later.
 */
export function CapturedPieces({ seats, children }: CapturedPiecesProps): JSX.Element {
  return (
    <div class="captured-table" data-testid="captured-table">
      <p class="captured-row captured-head" aria-hidden="true">
        <span />
        <span>{text.table.reserve}</span>
        <span>{text.table.captured}</span>
      </p>
      <ul>
        {seats.map((seat) => (
          <li key={seat.color} class="captured-row" data-color={seat.color}>
            <span class="plate-chip" role="img" aria-label={text.colors[seat.color]} />
            {children(seat)}
          </li>
        ))}
      </ul>
    </div>
  );
}
