import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import type { PreferenceValues } from '../../store/preferences.ts';
import { PieceIcon, PieceSample } from '../board/piece-icon.tsx';
import type { PieceSet } from '../board/piece-sets.ts';

const SHOWN_COLORS: readonly Color[] = ['red', 'blue', 'yellow', 'green'];
/** The displayed piece is a knight, because it has a body, an outline and inner lines. */
const SHOWN_ROLE: RoleLetter = 'N';

/** The four colors of a palette. */
export function Swatches({ palette }: { palette: PreferenceValues['palette'] }): JSX.Element {
  return (
    <span class="swatches" data-palette={palette} aria-hidden="true">
      {SHOWN_COLORS.map((color) => (
        <span key={color} class="swatch-square">
          <PieceIcon color={color} role={SHOWN_ROLE} />
        </span>
      ))}
    </span>
  );
}

/** The pieces that show a set, each in another color. */
const SAMPLES: readonly (readonly [Color, RoleLetter])[] = [
  ['red', 'K'],
  ['blue', 'Q'],
  ['yellow', 'N'],
  ['green', 'P'],
];

/** Four pieces of a set. */
export function PieceSetSample({ set }: { set: PieceSet }): JSX.Element {
  return (
    <span class="swatches" data-set={set} aria-hidden="true">
      {SAMPLES.map(([color, role]) => (
        <span key={role} class="swatch-square">
          <PieceSample set={set} color={color} role={role} />
        </span>
      ))}
    </span>
  );
}
