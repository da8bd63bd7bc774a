import type { JSX } from 'preact';
import type { ReserveView, SeatView } from '../../protocol/generated.ts';
import { isActive, type TableState } from '../../store/table.ts';
import { Reserve } from './reserve.tsx';
import { Taken } from './seat-indicators.tsx';

/** A reserve that keeps its place free. */
const EMPTY: ReserveView = { rooks: 0, bishops: 0, knights: 0 };

/** Pieces that a seat may promote to, where the game has reserves, and those it has taken. */
export function SeatCaptures({ state, seat }: { state: TableState; seat: SeatView }): JSX.Element {
  const reserve = isActive(state, seat.color) ? state.state.reserves?.[seat.color] : undefined;
  return (
    <>
      {state.seats.length > 2 && <Reserve seat={seat} reserve={reserve ?? EMPTY} />}
      <Taken state={state} color={seat.color} />
    </>
  );
}
