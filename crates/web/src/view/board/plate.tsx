import type { ComponentChildren, JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import type { Place } from './geometry.ts';

/** Properties of any seat beside a board. */
export interface PlateProps {
  readonly color: Color;
  readonly name: string;
  /** Side of the screen where the seat is shown. */
  readonly place: Place;
  readonly turn: boolean;
  readonly inMatch: boolean;
  /** Set if a user holds it. */
  readonly held?: boolean;
  /** Set if it is the viewer's own. */
  readonly mine?: boolean;
  readonly check?: boolean;
  /** Signs behind the name. */
  readonly signs?: ComponentChildren;
  /** Content below the name. */
  readonly children?: ComponentChildren;
}

/** A seat beside its side of the board: its color, its name, and what stands below. */
export function Plate(props: PlateProps): JSX.Element {
  const { color, name, place, turn, inMatch, held = true, mine = false, check = false, signs, children } = props;
  return (
    <section
      class="plate"
      data-testid={`seat-${color}`}
      data-color={color}
      data-place={place}
      data-held={held}
      data-turn={turn}
      data-in={inMatch}
      data-mine={mine}
      data-check={check}
      aria-label={`${text.colors[color]}: ${name}`}
    >
      <div class="plate-player">
        <span class="plate-chip" aria-hidden="true" />
        <span class="plate-name" title={name}>
          {name}
        </span>
        {signs}
      </div>
      {children}
    </section>
  );
}
