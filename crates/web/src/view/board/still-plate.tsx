import type { ComponentChildren, JSX } from 'preact';
import { Plate, type PlateProps } from './plate.tsx';

interface StillPlateProps extends Omit<PlateProps, 'held' | 'mine' | 'check'> {
  /** The one thing most worth knowing. */
  readonly note: string;
  /** The time it has, if any. */
  readonly clock?: ComponentChildren;
}

/** A seat beside the board where nobody plays now: in a replay, in an analysis. */
export function StillPlate({ note, clock, children, ...seat }: StillPlateProps): JSX.Element {
  return (
    <Plate {...seat}>
      {clock}
      <p key={note} class="plate-note">
        {note}
      </p>
      {children}
    </Plate>
  );
}
