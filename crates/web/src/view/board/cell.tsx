import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import { roleOf } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import type { Cell } from './geometry.ts';
import type { MoveMark } from './marks.ts';
import { PieceArt } from './piece-art.tsx';

interface BoardCellProps {
  readonly cell: Cell;
  readonly code: string | undefined;
  readonly color: Color | null;
  readonly mark: MoveMark | undefined;
  readonly check: boolean;
  readonly picked: boolean;
  readonly target: boolean;
  readonly movable: boolean;
  readonly certain: boolean;
  readonly premove: boolean;
  /** Set if a drawing of the viewer begins or ends here. */
  readonly drawn: boolean;
  readonly focusable: boolean;
}

/** A square of a board one works with. */
export function BoardCell(props: BoardCellProps): JSX.Element {
  const { cell, code, color, mark } = props;
  const role = code === undefined ? null : roleOf(code);
  return (
    <div
      class="cell"
      role="gridcell"
      tabIndex={props.focusable ? 0 : -1}
      aria-colindex={cell.column + 1}
      aria-selected={props.picked}
      aria-label={label(props)}
      data-square={cell.square}
      data-piece={code}
      data-shade={cell.shade}
      data-mark={mark?.end}
      data-color={mark?.color}
      data-check={flag(props.check)}
      data-picked={flag(props.picked)}
      data-target={props.target ? (code === undefined ? 'step' : 'capture') : undefined}
      data-movable={flag(props.movable && props.certain)}
      data-premovable={flag(props.movable && !props.certain)}
      data-premove={flag(props.premove)}
      style={{ gridColumn: cell.column + 1, gridRow: cell.row + 1 }}
    >
      {cell.rowLabel !== null && <span class="coordinate row-coordinate" data-label={cell.rowLabel} />}
      {cell.columnLabel !== null && <span class="coordinate column-coordinate" data-label={cell.columnLabel} />}
      {color !== null && role !== null && <PieceArt color={color} role={role} />}
    </div>
  );
}

/** An attribute that is there or is not. */
function flag(on: boolean): '' | undefined {
  return on ? '' : undefined;
}

function label({ cell, code, color, check, picked, target, premove, drawn }: BoardCellProps): string {
  const role = code === undefined ? null : roleOf(code);
  const words = [cell.square, color === null || role === null ? text.square.empty : text.square.piece(color, role)];
  if (check) words.push(text.square.check);
  if (picked) words.push(text.square.picked);
  if (target) words.push(text.square.target);
  if (premove) words.push(text.square.premove);
  if (drawn) words.push(text.square.drawn);
  return words.join(', ');
}
