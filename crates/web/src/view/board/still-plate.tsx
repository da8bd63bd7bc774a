import type { ComponentChildren, JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import type { Place } from './geometry.ts';

interface StillPlateProps {
  readonly color: Color;
  readonly name: string;
  /** Where on the screen the seat is. */
  readonly place: Place;
  readonly turn: boolean;
  readonly inMatch: boolean;
  /** The one thing most worth knowing. */
  readonly note: string;
  /** The time it has, if any. */
  readonly clock?: ComponentChildren;
  /** What stands below: lights, a reserve, what it has taken. */
  readonly children?: ComponentChildren;
}

/** A seat beside the board where nobody plays now: in a replay, in an analysis. */
export function StillPlate({ color, name, place, turn, inMatch, note, clock, children }: StillPlateProps): JSX.Element {
  return (
    <section
      class="plate"
      data-testid={`seat-${color}`}
      data-color={color}
      data-place={place}
      data-held="true"
      data-turn={turn}
      data-in={inMatch}
      data-mine="false"
      aria-label={`${text.colors[color]}: ${name}`}
    >
      <div class="plate-who">
        <span class="plate-chip" aria-hidden="true" />
        <span class="plate-name" title={name}>
          {name}
        </span>
      </div>
      {clock}
      <p key={note} class="plate-note">
        {note}
      </p>
      {children}
    </section>
  );
}
