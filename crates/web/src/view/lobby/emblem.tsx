import type { JSX } from 'preact';
import type { SeatView, Side, Variant } from '../../protocol/generated.ts';

const ARMS: Record<Side, string> = {
  south: 'M20 46h24v14a2 2 0 0 1-2 2H22a2 2 0 0 1-2-2z',
  west: 'M18 20v24H4a2 2 0 0 1-2-2V22a2 2 0 0 1 2-2z',
  north: 'M44 18H20V4a2 2 0 0 1 2-2h20a2 2 0 0 1 2 2z',
  east: 'M46 44V20h14a2 2 0 0 1 2 2v20a2 2 0 0 1-2 2z',
};
const HALVES: Partial<Record<Side, string>> = {
  south: 'M8 33h48v21a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2z',
  north: 'M8 31V10a2 2 0 0 1 2-2h44a2 2 0 0 1 2 2v21z',
};

/** A table at a glance: each seat's side of the board, filled with its color once somebody sits there. */
export function Emblem({ variant, seats }: { variant: Variant; seats: readonly SeatView[] }): JSX.Element {
  const shapes = variant === 'classic' ? HALVES : ARMS;
  return (
    <svg class="emblem" viewBox="0 0 64 64" aria-hidden="true">
      {seats.map((seat) => (
        <path key={seat.color} class="arm" data-color={seat.color} data-held={seat.user !== null} d={shapes[seat.side]} />
      ))}
      {variant !== 'classic' && <path class="emblem-middle" d="M20 20h24v24H20z" />}
    </svg>
  );
}
