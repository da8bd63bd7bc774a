import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { SeatView, Side } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';

/** A sentence for screen readers about the seat at the bottom of the board, each time the board is turned. */
export function OrientationStatus({ seats, bottom }: { readonly seats: readonly SeatView[]; readonly bottom: Side }): JSX.Element {
  const opened = useRef(bottom);
  const wasTurned = useRef(false);
  if (bottom !== opened.current) wasTurned.current = true;
  const color = seats.find(({ side }) => side === bottom)?.color;
  return (
    <p class="visually-hidden" role="status" data-testid="orientation">
      {wasTurned.current && color !== undefined && text.table.boardView(seats.length, color, false)}
    </p>
  );
}
