import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import shapes from './pieces.json' with { type: 'json' };

/*
 * The shapes are Colin M. L. Burnett's chess set, under the three-clause BSD licence (PIECES-LICENCE beside this file),
 * taken from the npm package @chessire/pieces 1.0.3. Changed here: one set of shapes for all colors, whose body, outline
 * and inner lines take their colors from the page; circles are paths. The server draws its pictures from the same file.
 */

/** A part of a piece's shape, in a square of 45 x 45. */
interface ShapePart {
  /** The kind of part: the body, an outline, a line within the body, the knight's eye. */
  readonly kind: string;
  readonly d: string;
  readonly cap?: string;
  readonly join?: string;
}

const SHAPES: Record<RoleLetter, readonly ShapePart[]> = shapes;

const CLASSES: Partial<Record<string, string>> = {
  line: 'piece-line',
  detail: 'piece-detail',
  eye: 'piece-detail piece-eye',
};

function ShapePartPath({ part: { kind, d, cap, join } }: { part: ShapePart }): JSX.Element {
  return (
    <path
      class={CLASSES[kind]}
      d={d}
      stroke-linecap={cap as 'butt' | undefined}
      stroke-linejoin={join as 'miter' | undefined}
    />
  );
}

/** The shapes of all pieces, once per page. `PieceIcon` refers to them. */
export function PieceShapes(): JSX.Element {
  return (
    <svg class="piece-shapes" width="0" height="0" aria-hidden="true">
      {Object.entries(SHAPES).map(([role, parts]) => (
        <symbol key={role} id={`piece-${role}`} viewBox="0 0 45 45">
          {parts.map((part) => (
            <ShapePartPath key={part.d} part={part} />
          ))}
          <text class="piece-letter" x="22.5" y="37">
            {role}
          </text>
        </symbol>
      ))}
    </svg>
  );
}

/** The picture of a piece in its color. */
export function PieceIcon({ color, role }: { color: Color; role: RoleLetter }): JSX.Element {
  return (
    <svg class="piece" data-color={color} viewBox="0 0 45 45" aria-hidden="true">
      <use href={`#piece-${role}`} />
    </svg>
  );
}
