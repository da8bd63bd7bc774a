import type { Square } from '../../protocol/generated.ts';

/** The colors one draws with: without a key held, and with those that choose another. */
export type Brush = 'green' | 'red' | 'blue' | 'yellow';

/** Something a viewer drew to think with: an arrow, or a ring where it begins and ends on one square. */
export interface Drawing {
  readonly from: Square;
  readonly to: Square;
  readonly brush: Brush;
}

/** The keys held that choose a brush. */
export interface BrushKeys {
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
}

/** Shift draws red, Alt or Control blue, both together yellow. */
export function brushOf({ shiftKey, altKey, ctrlKey }: BrushKeys): Brush {
  const other = altKey || ctrlKey;
  if (shiftKey) return other ? 'yellow' : 'red';
  return other ? 'blue' : 'green';
}

/** The drawings with one more: the same once more takes it away, in another color it takes that color. */
export function drawn(drawings: readonly Drawing[], { from, to, brush }: Drawing): readonly Drawing[] {
  const there = drawings.find((drawing) => drawing.from === from && drawing.to === to);
  const others = drawings.filter((drawing) => drawing !== there);
  return there?.brush === brush ? others : [...others, { from, to, brush }];
}
