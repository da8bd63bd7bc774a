import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { ColoredSide, Layout } from './geometry.ts';

interface EdgesProps {
  readonly layout: Layout;
  readonly seats: readonly ColoredSide[];
  readonly turn: Color | null | undefined;
}

/** The edges of the board, one for each seat. The edge of the player to move glows. */
export function Edges({ layout, seats, turn }: EdgesProps): JSX.Element {
  return (
    <>
      {seats.map(({ color, side }) => (
        <div key={color} class="edge" data-place={layout.screenSideOf(side)} data-color={color} data-lit={color === turn} aria-hidden="true" />
      ))}
    </>
  );
}
