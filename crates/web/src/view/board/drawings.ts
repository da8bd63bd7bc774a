import type { Square } from '../../protocol/generated.ts';

/** The colors of drawings. Modifier keys choose among them. */
export type Brush = 'green' | 'red' | 'blue' | 'yellow';

/** A drawing of the viewer: an arrow, or a ring if it starts and ends on the same square. */
export interface Drawing {
  readonly from: Square;
  readonly to: Square;
  readonly brush: Brush;
}

/** The modifier keys that choose a color. */
export interface BrushKeys {
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
}

/**
 * Returns the color for modifier keys: Shift draws red, Alt or Control blue, both together yellow.
 */
export function brushOf({ shiftKey, altKey, ctrlKey }: BrushKeys): Brush {
  const other = altKey || ctrlKey;
  if (shiftKey) return other ? 'yellow' : 'red';
  return other ? 'blue' : 'green';
}

/**
 * Returns the drawings after another drawing. If there is an equal drawing, it is removed. If one
 * differs only in its color, it gets the new color.
 */
export function toggleDrawing(drawings: readonly Drawing[], { from, to, brush }: Drawing): readonly Drawing[] {
  const existing = drawings.find((drawing) => drawing.from === from && drawing.to === to);
  const others = drawings.filter((drawing) => drawing !== existing);
  return existing?.brush === brush ? others : [...others, { from, to, brush }];
}
