import type { ComponentChildren, JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import type { ScreenSide } from './geometry.ts';

/** The properties of a seat's plate beside a board. */
export interface SeatPlateProps {
  readonly color: Color;
  readonly name: string;
  /** The name as it is shown, for example as a button; the plain name by default. */
  readonly shownName?: ComponentChildren;
  /** The side of the screen at which the seat is displayed. */
  readonly screenSide: ScreenSide;
  readonly isToMove: boolean;
  readonly inMatch: boolean;
  /** Set if the seat is taken. */
  readonly isTaken?: boolean;
  /** Set if it is the viewer's own seat. */
  readonly isOwn?: boolean;
  readonly check?: boolean;
  /** Set if the content has lamps for check and mate. */
  readonly hasLamps?: boolean;
  /** The icons after the name. */
  readonly icons?: ComponentChildren;
  /** The content below the name. */
  readonly children?: ComponentChildren;
}

/** The plate of a seat beside its side of the board: the color, the name, and further content. */
export function BoardPlate(props: SeatPlateProps): JSX.Element {
  const { color, name, shownName = name, screenSide, isToMove, inMatch, isTaken = true, isOwn = false, check = false, hasLamps = true, icons, children } = props;
  return (
    <section
      class="plate"
      data-testid={`seat-${color}`}
      data-color={color}
      data-place={screenSide}
      data-held={isTaken}
      data-turn={isToMove}
      data-in={inMatch}
      data-mine={isOwn}
      data-check={check}
      data-lamps={hasLamps}
      aria-label={`${text.colors[color]}: ${name}`}
    >
      <div class="plate-player">
        <span class="plate-chip" aria-hidden="true" />
        <span class="plate-name" title={name}>
          {shownName}
        </span>
        {icons}
      </div>
      {children}
    </section>
  );
}
