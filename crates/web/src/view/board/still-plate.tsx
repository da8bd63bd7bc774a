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
  readonly check: boolean;
  /** The one thing most worth knowing. */
  readonly note: string;
  /** What stands below: a time, a reserve. */
  readonly children?: ComponentChildren;
}

/** A seat beside the board where nobody plays now: in a replay, in an analysis. */
export function StillPlate({ color, name, place, turn, inMatch, check, note, children }: StillPlateProps): JSX.Element {
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
      data-check={check}
      aria-label={`${text.colors[color]}: ${name}`}
    >
      <div class="plate-who">
        <span class="plate-chip" aria-hidden="true" />
        <span class="plate-name" title={name}>
          {name}
        </span>
      </div>
      <p class="plate-note" data-kind={check ? 'check' : undefined}>
        {note}
      </p>
      {children}
    </section>
  );
}
