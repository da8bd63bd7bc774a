import type { JSX } from 'preact';
import type { SeatView, Side } from '../../protocol/generated.ts';

const ARMS: Record<Side, string> = {
  south: 'M20 46h24v14a2 2 0 0 1-2 2H22a2 2 0 0 1-2-2z',
  west: 'M18 20v24H4a2 2 0 0 1-2-2V22a2 2 0 0 1 2-2z',
  north: 'M44 18H20V4a2 2 0 0 1 2-2h20a2 2 0 0 1 2 2z',
  east: 'M46 44V20h14a2 2 0 0 1 2 2v20a2 2 0 0 1-2 2z',
};
/**
 * An icon of a table: each side of the board is filled with the color of its seat once the seat is
 * taken.
 */
export function SeatsIcon({ seats }: { seats: readonly SeatView[] }): JSX.Element {
  return (
    <svg class="emblem" viewBox="0 0 64 64" aria-hidden="true">
      {seats.map((seat) => (
        <path key={seat.color} class="arm" data-color={seat.color} data-held={seat.user !== null} d={ARMS[seat.side]} />
      ))}
      <path class="brand-dark" d="M20 20h24v24H20z" />
      <path class="brand-light" d="M20 20h12v12H20zM32 32h12v12H32z" />
    </svg>
  );
}
