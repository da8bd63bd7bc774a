import type { JSX } from 'preact';
import type { AttackView, Square } from '../../protocol/generated.ts';
import type { Drawing } from './drawings.ts';
import type { GridPosition, Layout } from './geometry.ts';

/** An arrow between two squares. */
export interface SquareArrow {
  readonly from: Square;
  readonly to: Square;
}

interface OverlayProps {
  readonly layout: Layout;
  /** The attacks on kings in check: the squares of attacker and king. */
  readonly attacks: readonly AttackView[];
  /** The highlighted move. */
  readonly hint: SquareArrow | null;
  /** The drawings of the viewer. */
  readonly drawings: readonly Drawing[];
}

/**
 * The distance between an arrow's tip and the middle of its target, in squares, so that the piece
 * there stays visible.
 */
const TIP_DISTANCE = 0.3;
/** The length of an arrow's head, in squares. */
const HEAD_LENGTH = 0.42;

/**
 * The layer above the squares, with a highlighted move, checks, and the viewer's drawings. It does
 * not react to the pointer. Its unit of length is a square.
 */
export function Overlay({ layout, attacks, hint, drawings }: OverlayProps): JSX.Element {
  return (
    <svg class="overlay" viewBox={`0 0 ${layout.columns} ${layout.rows}`} aria-hidden="true">
      {/* Filled by `animateRemovedArmies` only. */}
      <g class="ghosts" />
      {hint !== null && <Arrow class="hint" from={layout.positionOf(hint.from)} to={layout.positionOf(hint.to)} name={`${hint.from}${hint.to}`} />}
      {attacks.map(({ from, to }) => (
        <Arrow key={`${from}${to}`} class="attack" from={layout.positionOf(from)} to={layout.positionOf(to)} name={`${from}${to}`} />
      ))}
      {drawings.map(({ from, to, brush }) => {
        const [start, end] = [layout.positionOf(from), layout.positionOf(to)];
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
  readonly from: GridPosition | null;
  readonly to: GridPosition | null;
  readonly name: string;
  readonly brush?: string;
}

/** An arrow from the middle of one square to just before the middle of another. */
function Arrow({ class: kind, from, to, name, brush }: ArrowProps): JSX.Element | null {
  if (from === null || to === null) return null;
  const [dx, dy] = [to.column - from.column, to.row - from.row];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const [tipX, tipY] = [to.column + 0.5 - ux * TIP_DISTANCE, to.row + 0.5 - uy * TIP_DISTANCE];
  const [baseX, baseY] = [tipX - ux * HEAD_LENGTH, tipY - uy * HEAD_LENGTH];
  const halfWidth = HEAD_LENGTH * 0.5;
  return (
    <g class={kind} data-drawing={name} data-brush={brush}>
      <path class="arrow-shaft" d={`M${round(from.column + 0.5)} ${round(from.row + 0.5)}L${round(baseX)} ${round(baseY)}`} />
      <path
        class="arrow-head"
        d={`M${round(tipX)} ${round(tipY)}L${round(baseX - uy * halfWidth)} ${round(baseY + ux * halfWidth)}L${round(baseX + uy * halfWidth)} ${round(baseY - ux * halfWidth)}z`}
      />
    </g>
  );
}

function round(number: number): number {
  return Math.round(number * 1_000) / 1_000;
}
