import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Color, SeatView, Side } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';

/** Returns a sentence about the seat at the bottom of the board. `ownColor` is the viewer's color, if there is one. */
export function boardView(seats: readonly SeatView[], bottom: Side, ownColor: Color | null): string {
  const color = seats.find(({ side }) => side === bottom)?.color;
  return color === undefined ? '' : text.table.boardView(seats.length, color, color === ownColor);
}

/** A sentence for screen readers about the seat at the bottom of the board, each time the board is turned. */
export function OrientationStatus({ seats, bottom }: { readonly seats: readonly SeatView[]; readonly bottom: Side }): JSX.Element {
  const opened = useRef(bottom);
  const wasTurned = useRef(false);
  if (bottom !== opened.current) wasTurned.current = true;
  return (
    <p class="visually-hidden" role="status" data-testid="orientation">
      {wasTurned.current && boardView(seats, bottom, null)}
    </p>
  );
}
