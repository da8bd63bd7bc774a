import type { JSX } from 'preact';
import type { ReserveView, SeatView } from '../../protocol/generated.ts';
import { isActive, type TableState } from '../../store/table.ts';
import { Reserve } from './reserve.tsx';
import { CapturedBySeat } from './seat-indicators.tsx';

/** An empty reserve, which keeps its place. */
const EMPTY_RESERVE: ReserveView = { rooks: 0, bishops: 0, knights: 0 };

/** The reserve of a seat, in a game with reserves, and the pieces that it has captured. */
export function SeatCaptures({ state, seat }: { state: TableState; seat: SeatView }): JSX.Element {
  const reserve = isActive(state, seat.color) ? state.state.reserves?.[seat.color] : undefined;
  return (
    <>
      {state.seats.length > 2 && <Reserve seat={seat} reserve={reserve ?? EMPTY_RESERVE} />}
      <CapturedBySeat state={state} color={seat.color} />
    </>
  );
}
