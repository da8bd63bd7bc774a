import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import type { RoleLetter } from '../../store/pieces.ts';
import { useClient } from '../context.ts';
import { PIECE_SETS, type PieceSet, type ShapePart } from './piece-sets.ts';

const CLASSES: Partial<Record<string, string>> = {
  line: 'piece-line',
  detail: 'piece-detail',
  eye: 'piece-detail piece-eye',
  sign: 'piece-sign',
  solid: 'piece-sign piece-solid',
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

/** The parts of a piece in a set, and its letter. */
function PieceParts({ set, role }: { set: PieceSet; role: RoleLetter }): JSX.Element {
  return (
    <>
      {PIECE_SETS[set][role].map((part) => (
        <ShapePartPath key={part.d} part={part} />
      ))}
      <text class="piece-letter" data-set={set} x="22.5" y={set === 'tokens' ? '30.5' : '37'}>
        {role}
      </text>
    </>
  );
}

/**
 * The shapes of all pieces of the chosen set. They are on the page once, and `PieceIcon` refers to
 * them.
 */
export function PieceShapes(): JSX.Element {
  const set = useClient().preferences.pieces.value;
  return (
    <svg class="piece-shapes" width="0" height="0" aria-hidden="true" data-set={set}>
      {Object.keys(PIECE_SETS[set]).map((role) => (
        <symbol key={set + role} id={`piece-${role}`} viewBox="0 0 45 45">
          <PieceParts set={set} role={role as RoleLetter} />
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

/** The picture of a piece in any set, for example a set that is not chosen. */
export function PieceSample({ set, color, role }: { set: PieceSet; color: Color; role: RoleLetter }): JSX.Element {
  return (
    <svg class="piece" data-color={color} viewBox="0 0 45 45" aria-hidden="true">
      <PieceParts set={set} role={role} />
    </svg>
  );
}
