import type { JSX } from 'preact';
import type { AttackView, Square } from '../../protocol/generated.ts';
import type { Drawing } from './drawings.ts';
import type { GridPlace, Layout } from './geometry.ts';

/** From one square to another. */
export interface ArrowView {
  readonly from: Square;
  readonly to: Square;
}

interface OverlayProps {
  readonly layout: Layout;
  /** Checks: attackers and the kings they attack. */
  readonly attacks: readonly AttackView[];
  /** A move that is pointed out. */
  readonly hint: ArrowView | null;
  /** Drawings of the viewer. */
  readonly drawings: readonly Drawing[];
}

/**
 * Distance between an arrow's head and the middle of its square, in squares: the piece there stays
 * visible.
 */
const SHORT_OF = 0.3;
/** The length of an arrow's head, in squares. */
const HEAD = 0.42;

/**
 * The layer over the squares that takes no press: a hinted move, the lines of checks, and the
 * viewer's drawings. Squares are its unit.
 */
export function Overlay({ layout, attacks, hint, drawings }: OverlayProps): JSX.Element {
  return (
    <svg class="overlay" viewBox={`0 0 ${layout.columns} ${layout.rows}`} aria-hidden="true">
      {/* Filled by `fadeArmies` alone. */}
      <g class="ghosts" />
      {hint !== null && <Arrow class="hint" from={layout.place(hint.from)} to={layout.place(hint.to)} name={`${hint.from}${hint.to}`} />}
      {attacks.map(({ from, to }) => (
        <Arrow key={`${from}${to}`} class="attack" from={layout.place(from)} to={layout.place(to)} name={`${from}${to}`} />
      ))}
      {drawings.map(({ from, to, brush }) => {
        const [start, end] = [layout.place(from), layout.place(to)];
        const name = `${from}${to}`;
        if (from !== to) return <Arrow key={name} class="drawing" from={start} to={end} name={name} brush={brush} />;
        return start === null ? null : (
          <circle key={name} class="drawing" data-drawing={name} data-brush={brush} cx={start.column + 0.5} cy={start.row + 0.5} r="0.43" />
        );
      })}
    </svg>
  );
}

interface ArrowProps {
  readonly class: string;
  readonly from: GridPlace | null;
  readonly to: GridPlace | null;
  readonly name: string;
  readonly brush?: string;
}

/** An arrow from the middle of one square to just before the middle of another. */
function Arrow({ class: kind, from, to, name, brush }: ArrowProps): JSX.Element | null {
  if (from === null || to === null) return null;
  const [dx, dy] = [to.column - from.column, to.row - from.row];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const [tipX, tipY] = [to.column + 0.5 - ux * SHORT_OF, to.row + 0.5 - uy * SHORT_OF];
  const [baseX, baseY] = [tipX - ux * HEAD, tipY - uy * HEAD];
  const wing = HEAD * 0.5;
  return (
    <g class={kind} data-drawing={name} data-brush={brush}>
      <path class="arrow-shaft" d={`M${round(from.column + 0.5)} ${round(from.row + 0.5)}L${round(baseX)} ${round(baseY)}`} />
      <path
        class="arrow-head"
        d={`M${round(tipX)} ${round(tipY)}L${round(baseX - uy * wing)} ${round(baseY + ux * wing)}L${round(baseX + uy * wing)} ${round(baseY - ux * wing)}z`}
      />
    </g>
  );
}

function round(number: number): number {
  return Math.round(number * 1_000) / 1_000;
}
