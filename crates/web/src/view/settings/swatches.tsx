import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import type { PreferenceValues } from '../../store/preferences.ts';
import { PieceArt } from '../board/piece-art.tsx';

const ARMIES: readonly Color[] = ['red', 'blue', 'yellow', 'green'];
/** The knight has body, outline and inner lines. */
const SHOWN: RoleLetter = 'N';

/** The four armies as a palette shows them. */
export function Swatches({ palette }: { palette: PreferenceValues['palette'] }): JSX.Element {
  return (
    <span class="swatches" data-palette={palette} aria-hidden="true">
      {ARMIES.map((color) => (
        <span key={color} class="swatch-square">
          <PieceArt color={color} role={SHOWN} />
        </span>
      ))}
    </span>
  );
}
