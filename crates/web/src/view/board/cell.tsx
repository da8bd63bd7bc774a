import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import { roleOf } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import type { Cell } from './geometry.ts';
import type { MoveMark } from './marks.ts';
import { PieceIcon } from './piece-icon.tsx';

/** The content and state of a square. */
export interface BoardCellProps {
  readonly cell: Cell;
  readonly piece: string | undefined;
  readonly color: Color | null;
  readonly markEnd: MoveMark['end'] | undefined;
  readonly markColor: Color | undefined;
  readonly check: boolean;
  readonly picked: boolean;
  readonly target: boolean;
  /** Set if the piece on the square has a legal move. */
  readonly movable: boolean;
  /** Set if the piece on the square may make a premove. */
  readonly premovable: boolean;
  /** Set if a finger drags the piece on the square instead of scrolling the page. */
  readonly draggable: boolean;
  readonly premove: boolean;
  /** Set if a drawing of the viewer starts or ends here. */
  readonly drawn: boolean;
  readonly focusable: boolean;
}

/** A square of an interactive board. */
export function BoardCell(props: BoardCellProps): JSX.Element {
  const { cell, piece, color } = props;
  const role = piece === undefined ? null : roleOf(piece);
  return (
    <div
      class="cell"
      role="gridcell"
      tabIndex={props.focusable ? 0 : -1}
      aria-colindex={cell.column + 1}
      aria-selected={props.picked}
      aria-label={cellLabel(props)}
      data-square={cell.square}
      data-piece={piece}
      data-shade={cell.shade}
      data-mark={props.markEnd}
      data-color={props.markColor}
      data-check={attribute(props.check)}
      data-picked={attribute(props.picked)}
      data-target={props.target ? (piece === undefined ? 'step' : 'capture') : undefined}
      data-movable={attribute(props.movable)}
      data-premovable={attribute(props.premovable)}
      data-draggable={attribute(props.draggable)}
      data-premove={attribute(props.premove)}
      style={{ left: cell.left }}
    >
      {cell.rowLabel !== null && <span class="coordinate row-coordinate" data-label={cell.rowLabel} />}
      {cell.columnLabel !== null && <span class="coordinate column-coordinate" data-label={cell.columnLabel} />}
      {color !== null && role !== null && <PieceIcon color={color} role={role} />}
    </div>
  );
}

/** Returns the value of a boolean attribute. */
function attribute(on: boolean): '' | undefined {
  return on ? '' : undefined;
}

function cellLabel({ cell, piece, color, check, picked, target, premove, drawn }: BoardCellProps): string {
  const role = piece === undefined ? null : roleOf(piece);
  const words = [cell.square, color === null || role === null ? text.square.empty : text.square.piece(color, role)];
  if (check) words.push(text.square.check);
  if (picked) words.push(text.square.pickedUp);
  if (target) words.push(text.square.target);
  if (premove) words.push(text.square.premove);
  if (drawn) words.push(text.square.drawn);
  return words.join(', ');
}
