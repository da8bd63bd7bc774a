import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import type { PreferenceValues } from '../../store/preferences.ts';
import { PieceIcon } from '../board/piece-icon.tsx';

const SHOWN_COLORS: readonly Color[] = ['red', 'blue', 'yellow', 'green'];
/** The displayed piece: a knight has a body, an outline and inner lines. */
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
