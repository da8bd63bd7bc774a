import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';

/*
 * The shapes are Colin M. L. Burnett's chess set, under the three-clause BSD licence (PIECES-LICENCE beside this file),
 * taken from the npm package @chessire/pieces 1.0.3. Changed here: one set of shapes for all colors, whose body, outline
 * and inner lines take their colors from the page.
 */

const king = (
  <>
    <path class="piece-line" d="M22.5 11.63V6M20 8h5" stroke-linejoin="miter" />
    <path d="M22.5 25s4.5-7.5 3-10.5c0 0-1-2.5-3-2.5s-3 2.5-3 2.5c-1.5 3 3 10.5 3 10.5" stroke-linecap="butt" stroke-linejoin="miter" />
    <path d="M12.5 37c5.5 3.5 14.5 3.5 20 0v-7s9-4.5 6-10.5c-4-6.5-13.5-3.5-16 4V27v-3.5c-2.5-7.5-12-10.5-16-4-3 6 6 10.5 6 10.5v7" />
    <path class="piece-detail" d="M12.5 30c5.5-3 14.5-3 20 0m-20 3.5c5.5-3 14.5-3 20 0m-20 3.5c5.5-3 14.5-3 20 0" />
  </>
);

const queen = (
  <>
    <circle cx="6" cy="12" r="2" />
    <circle cx="14" cy="9" r="2" />
    <circle cx="22.5" cy="7.5" r="2" />
    <circle cx="31" cy="9" r="2" />
    <circle cx="39" cy="12" r="2" />
    <path d="M9 26c8.5-1.5 18.5-1.5 27 0l2-12-7 11V11l-5.5 13.5-3-15-3 15L14 11v14L7 14l2 12z" stroke-linecap="butt" />
    <path d="M9 26c0 2 1.5 2 2.5 4 1 1.5 1 1 .5 3.5-1.5 1-1 2.5-1 2.5-1.5 1.5 0 2.5 0 2.5 6.5 1 16.5 1 23 0 0 0 1.5-1 0-2.5 0 0 .5-1.5-1-2.5-.5-2.5-.5-2 .5-3.5 1-2 2.5-2 2.5-4-8.5-1.5-18.5-1.5-27 0z" stroke-linecap="butt" />
    <path class="piece-detail" d="M11.5 30c3.5-1 18.5-1 22 0M12 33.5c6-1 15-1 21 0" />
  </>
);

const rook = (
  <>
    <path d="M9 39h27v-3H9v3zM12 36v-4h21v4H12zM11 14V9h4v2h5V9h5v2h5V9h4v5" stroke-linecap="butt" />
    <path d="m34 14-3 3H14l-3-3" />
    <path d="M31 17v12.5H14V17" stroke-linecap="butt" stroke-linejoin="miter" />
    <path d="m31 29.5 1.5 2.5h-20l1.5-2.5" />
    <path class="piece-detail" d="M11.8 14h21.4M14.8 17h15.4M14.8 29.5h15.4M13 32h19M12.8 36h19.4" stroke-linejoin="miter" />
  </>
);

const bishop = (
  <>
    <path d="M9 36c3.39-.97 10.11.43 13.5-2 3.39 2.43 10.11 1.03 13.5 2 0 0 1.65.54 3 2-.68.97-1.65.99-3 .5-3.39-.97-10.11.46-13.5-1-3.39 1.46-10.11.03-13.5 1-1.354.49-2.323.47-3-.5 1.354-1.94 3-2 3-2z" stroke-linecap="butt" />
    <path d="M15 32c2.5 2.5 12.5 2.5 15 0 .5-1.5 0-2 0-2 0-2.5-2.5-4-2.5-4 5.5-1.5 6-11.5-5-15.5-11 4-10.5 14-5 15.5 0 0-2.5 1.5-2.5 4 0 0-.5.5 0 2z" stroke-linecap="butt" />
    <circle cx="22.5" cy="8" r="2.5" />
    <path class="piece-detail" d="M17.5 26h10M15 30h15m-7.5-14.5v5M20 18h5" stroke-linejoin="miter" />
  </>
);

const knight = (
  <>
    <path d="M22 10c10.5 1 16.5 8 16 29H15c0-9 10-6.5 8-21" />
    <path d="M24 18c.38 2.91-5.55 7.37-8 9-3 2-2.82 4.34-5 4-1.042-.94 1.41-3.04 0-3-1 0 .19 1.23-1 2-1 0-4.003 1-4-4 0-2 6-12 6-12s1.89-1.9 2-3.5c-.73-.994-.5-2-.5-3 1-1 3 2.5 3 2.5h2s.78-1.992 2.5-3c1 0 1 3 1 3" />
    <path class="piece-detail piece-eye" d="M9.5 25.5a.5.5 0 1 1-1 0 .5.5 0 1 1 1 0zm5.433-9.75a.5 1.5 30 1 1-.866-.5.5 1.5 30 1 1 .866.5z" />
  </>
);

const pawn = (
  <path d="M22.5 9c-2.21 0-4 1.79-4 4 0 .89.29 1.71.780 2.38C17.33 16.5 16 18.59 16 21c0 2.03.940 3.84 2.41 5.03-3 1.06-7.41 5.55-7.41 13.47h23c0-7.92-4.41-12.41-7.41-13.47 1.47-1.19 2.41-3 2.41-5.03 0-2.41-1.33-4.5-3.28-5.62.490-.67.78-1.49.780-2.38 0-2.21-1.79-4-4-4z" />
);

const SHAPES: Record<RoleLetter, JSX.Element> = { K: king, Q: queen, R: rook, B: bishop, N: knight, P: pawn };

/** The shapes of all pieces, once per page, for `PieceArt` to refer to. */
export function PieceShapes(): JSX.Element {
  return (
    <svg class="piece-shapes" width="0" height="0" aria-hidden="true">
      {Object.entries(SHAPES).map(([role, shape]) => (
        <symbol key={role} id={`piece-${role}`} viewBox="0 0 45 45">
          {shape}
          <text class="piece-letter" x="22.5" y="37">
            {role}
          </text>
        </symbol>
      ))}
    </svg>
  );
}

/** A piece in its color. */
export function PieceArt({ color, role }: { color: Color; role: RoleLetter }): JSX.Element {
  return (
    <svg class="piece" data-color={color} viewBox="0 0 45 45" aria-hidden="true">
      <use href={`#piece-${role}`} />
    </svg>
  );
}
