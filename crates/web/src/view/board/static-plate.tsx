import type { ComponentChildren, JSX } from 'preact';
import { BoardPlate, type SeatPlateProps } from './board-plate.tsx';
import { plateNoteText } from './plate-note.tsx';

interface StaticPlateProps extends Omit<SeatPlateProps, 'held' | 'mine' | 'check'> {
  /** The most important fact about the seat, in parts. */
  readonly note: readonly string[];
  /** The clock of the seat, if there is one. */
  readonly clock?: ComponentChildren;
}

/**
 * The plate of a seat beside a board on which no match is played, as in a replay or an analysis.
 */
export function StaticPlate({ note, clock, children, ...seat }: StaticPlateProps): JSX.Element {
  return (
    <BoardPlate {...seat}>
      {clock}
      <p key={note.join()} class="plate-note">
        {plateNoteText(note)}
      </p>
      {children}
    </BoardPlate>
  );
}
