import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Color, SeatView, Square } from '../../protocol/generated.ts';
import type { Playable } from '../../store/moves.ts';
import { colorOf, roleOf, type Pieces } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import { useDrag } from './drag.ts';
import type { Cell, Direction, Layout } from './geometry.ts';
import { press } from './hand.ts';
import type { MoveMark } from './marks.ts';
import { slide } from './motion.ts';
import { PieceArt } from './piece-art.tsx';

/** What a board shows and what it offers. */
export interface BoardProps {
  readonly layout: Layout;
  readonly seats: readonly SeatView[];
  readonly pieces: Pieces;
  /** What may be picked up, and where it may be put. */
  readonly playable: Playable;
  /** The squares of a move that is made in advance. */
  readonly premoveMarks: ReadonlySet<Square>;
  readonly moveMarks: ReadonlyMap<Square, MoveMark>;
  readonly checkMarks: ReadonlySet<Square>;
  /** Somebody wants to go from one square to another; it is among what may be played. */
  readonly onGo: (from: Square, to: Square) => void;
  /** A square was pressed, whatever comes of it. */
  readonly onTouch: () => void;
  /** Further attributes of the grid. */
  readonly grid: Readonly<Record<`data-${string}`, string | number>>;
}

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/** A board of any geometry, worked by mouse, finger and keyboard. It knows no rules: what may move where is given. */
export function Board(props: BoardProps): JSX.Element {
  const { layout, seats, pieces, playable, moveMarks, premoveMarks, checkMarks, onGo, onTouch, grid } = props;
  const element = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState<Square | null>(null);
  const [focus, setFocus] = useState<Square>(() => layout.lines.at(-1)?.[0]?.square ?? '');
  const dropped = useRef<Square | null>(null);
  const inHand = picked !== null && playable.canMove(picked) ? picked : null;

  const go = (from: Square, to: Square, next: Square | null): void => {
    setPicked(next);
    onGo(from, to);
  };
  const onPress = (square: Square): void => {
    setFocus(square);
    const pressed = press(inHand, square, playable);
    if (pressed.kind === 'go') go(pressed.from, pressed.to, pressed.next);
    else setPicked(pressed.kind === 'pick' ? pressed.square : null);
  };
  const drag = useDrag({
    board: element,
    mayDrag: (square) => playable.canMove(square),
    pick: onPress,
    drop: (from, to) => {
      if (!playable.canGo(from, to)) return;
      // A piece of a move made in advance stays where it is.
      if (playable.certain) dropped.current = to;
      go(from, to, null);
    },
  });

  const shown = useRef(pieces);
  useLayoutEffect(() => {
    if (element.current !== null) slide(element.current, layout, shown.current, pieces, dropped.current);
    shown.current = pieces;
    dropped.current = null;
  }, [pieces, layout]);

  // What was picked cannot stay in hand when the turn is over.
  useEffect(() => setPicked((square) => (square !== null && playable.canMove(square) ? square : null)), [playable]);

  const moveFocus = (square: Square): void => {
    setFocus(square);
    element.current?.querySelector<HTMLElement>(`[data-square="${square}"]`)?.focus();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const direction = KEYS[event.key];
    if (direction !== undefined) moveFocus(layout.next(focus, direction) ?? focus);
    else if (event.key === 'Home') moveFocus(layout.rowEnd(focus, 'first'));
    else if (event.key === 'End') moveFocus(layout.rowEnd(focus, 'last'));
    else if (event.key === 'Enter' || event.key === ' ') onPress(focus);
    else if (event.key === 'Escape' && inHand !== null) setPicked(null);
    else return;
    event.preventDefault();
  };

  const squareOf = (event: Event): Square | null =>
    (event.target as Element).closest<HTMLElement>('[data-square]')?.dataset['square'] ?? null;

  return (
    <div
      ref={element}
      class="board"
      role="grid"
      aria-label={text.table.board}
      aria-rowcount={layout.rows}
      aria-colcount={layout.columns}
      data-testid="board"
      data-picking={inHand !== null}
      data-premoving={!playable.certain}
      {...grid}
      style={{ '--columns': layout.columns, '--rows': layout.rows }}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const square = squareOf(event);
        if (square !== null && !drag.consumesClick(square)) onPress(square);
      }}
      onPointerDown={(event) => {
        const square = squareOf(event);
        if (square === null) return;
        onTouch();
        drag.begin(event, square, inHand);
      }}
    >
      {layout.lines.map((line, row) => (
        <div class="board-row" role="row" key={row} aria-rowindex={row + 1}>
          {line.map((cell) => {
            const piece = pieces[cell.square];
            return (
              <BoardCell
                key={cell.square}
                cell={cell}
                code={piece}
                color={piece === undefined ? null : colorOf(piece, seats)}
                mark={moveMarks.get(cell.square)}
                check={checkMarks.has(cell.square)}
                picked={cell.square === inHand}
                target={playable.certain && inHand !== null && playable.canGo(inHand, cell.square)}
                movable={playable.canMove(cell.square)}
                certain={playable.certain}
                premove={premoveMarks.has(cell.square)}
                focusable={cell.square === focus}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

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
  readonly focusable: boolean;
}

function BoardCell(props: BoardCellProps): JSX.Element {
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

function label({ cell, code, color, check, picked, target, premove }: BoardCellProps): string {
  const role = code === undefined ? null : roleOf(code);
  const words = [cell.square, color === null || role === null ? text.square.empty : text.square.piece(color, role)];
  if (check) words.push(text.square.check);
  if (picked) words.push(text.square.picked);
  if (target) words.push(text.square.target);
  if (premove) words.push(text.square.premove);
  return words.join(', ');
}
