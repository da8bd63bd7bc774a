import type { JSX } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AttackView, Color, Square } from '../../protocol/generated.ts';
import type { PlayableMoves } from '../../store/moves.ts';
import { colorOf, type Pieces, type ColoredSeats } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import { BoardCell, type BoardCellProps } from './cell.tsx';
import { useDrag } from './drag.ts';
import type { Cell, Direction, Layout } from './geometry.ts';
import { pressSquare } from './press-square.ts';
import { Lens, type LensPosition } from './lens.tsx';
import type { MoveMark } from './marks.ts';
import { animateRemovedArmies, animateMoves } from './motion.ts';
import { Overlay, type SquareArrow } from './overlay.tsx';
import { usePaintedSteps } from '../painted-steps.ts';
import { renderLater } from '../render-queue.ts';
import { useStableElements } from '../stable-elements.ts';
import { useDrawings } from './use-drawings.ts';

/** The content of a board and the callbacks for its input. */
export interface BoardProps {
  readonly layout: Layout;
  /** The seats, which determine the colors of the pieces. */
  readonly seats: ColoredSeats;
  readonly pieces: Pieces;
  /** The pieces that may be picked up, and their targets. */
  readonly playable: PlayableMoves;
  /**
   * The color whose pieces a finger drags instead of scrolling the page, on every turn; by default
   * these are the pieces that may be picked up now.
   */
  readonly ownColor?: Color | null;
  /** The squares of the premove. */
  readonly premoveMarks: ReadonlySet<Square>;
  readonly moveMarks: ReadonlyMap<Square, MoveMark>;
  readonly checkMarks: ReadonlySet<Square>;
  /** The attacks on kings in check: the squares of attacker and king. */
  readonly attacks?: readonly AttackView[];
  /** The highlighted move. */
  readonly hint?: SquareArrow | null;
  /** Called when a piece is moved to one of its allowed targets. */
  readonly onMove: (from: Square, to: Square) => void;
  /**
   * Called after each press. The argument is the pressed square if the press neither picked nor
   * moved a piece. Otherwise it is `null`, and it is also `null` after another press on the picked
   * piece.
   */
  readonly onExplain?: (square: Square | null) => void;
  /** Called when a pointer goes down on any square. */
  readonly onPress: () => void;
  /** The accessible name; by default the name for the board of a table. */
  readonly label?: string;
  /** Further attributes of the board's element. */
  readonly attributes: Readonly<Record<`data-${string}`, string | number>>;
}

const ARROW_KEYS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/**
 * The number of rows in the first step in which the board is opened, in which the page opens other
 * parts too, and in each later step.
 */
const FIRST_ROWS = 2;
const ROWS_PER_STEP = 6;

const NO_ATTACKS: readonly AttackView[] = [];

/**
 * An interactive board of any geometry, for mouse, touch and keyboard. It does not know the rules;
 * `playable` contains the allowed moves.
 */
export function Board(props: BoardProps): JSX.Element {
  const { layout, seats, pieces, playable, ownColor, moveMarks, premoveMarks, checkMarks, attacks = NO_ATTACKS, hint = null, label = text.table.board, onMove, onPress, onExplain, attributes } = props;
  const element = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState<Square | null>(null);
  const [focus, setFocus] = useState<Square>(() => layout.shownRows.at(-1)?.[0]?.square ?? '');
  const droppedOn = useRef<Square | null>(null);
  const inHand = picked !== null && playable.canMove(picked) ? picked : null;
  const drawings = useDrawings();
  const drawnOn = useMemo(() => new Set(drawings.shown.flatMap(({ from, to }) => [from, to])), [drawings.shown]);
  const stableCell = useStableElements();
  const stable = useStableElements();
  const rowCount = FIRST_ROWS + ROWS_PER_STEP * usePaintedSteps(Math.ceil((layout.rows - FIRST_ROWS) / ROWS_PER_STEP));
  const lensPosition = useSignal<LensPosition | null>(null);

  const move = (from: Square, to: Square, next: Square | null): void => {
    setPicked(next);
    onMove(from, to);
  };
  const pressOn = (square: Square): void => {
    setFocus(square);
    const pressed = pressSquare(inHand, square, playable);
    onExplain?.(pressed.kind === 'drop' && inHand !== square ? square : null);
    if (pressed.kind === 'go') move(pressed.from, pressed.to, pressed.next);
    else setPicked(pressed.kind === 'pick' ? pressed.square : null);
  };
  const drag = useDrag({
    board: element,
    mayDrag: (square) => playable.canMove(square),
    pick: pressOn,
    drop: (from, to, carried) => {
      if (!playable.canGo(from, to)) return;
      // A piece that makes a premove stays on its square for now.
      if (playable.areLegal && carried) droppedOn.current = to;
      move(from, to, null);
    },
    aim: (at) => {
      lensPosition.value = at;
    },
  });

  const shownPieces = useRef(pieces);
  useLayoutEffect(() => {
    if (element.current !== null) {
      animateMoves(element.current, layout, shownPieces.current, pieces, droppedOn.current);
      animateRemovedArmies(element.current, layout, seats, shownPieces.current, pieces);
    }
    shownPieces.current = pieces;
    droppedOn.current = null;
  }, [pieces, layout, seats]);

  // Drops the picked piece when the turn is over.
  useEffect(() => setPicked((square) => (square !== null && playable.canMove(square) ? square : null)), [playable]);

  // Escape drops the picked piece even if the focus is not on the board.
  useEffect(() => {
    if (inHand === null) return undefined;
    const putBack = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setPicked(null);
    };
    addEventListener('keydown', putBack);
    return () => removeEventListener('keydown', putBack);
  }, [inHand]);

  // While a piece is picked, a finger points at squares instead of scrolling the page. A style
  // could prevent scrolling as well, but then the style of each square would change whenever a
  // piece is picked.
  useEffect(() => {
    const board = element.current;
    if (inHand === null || board === null) return undefined;
    const keepPage = (event: TouchEvent): void => {
      if (event.cancelable && event.touches.length === 1) event.preventDefault();
    };
    board.addEventListener('touchmove', keepPage, { passive: false });
    return () => board.removeEventListener('touchmove', keepPage);
  }, [inHand]);

  const moveFocus = (square: Square): void => {
    setFocus(square);
    focusOn(element.current, square);
  };
  const focused = useRef(focus);
  focused.current = focus;
  // When the board turns, the focus stays on the same square.
  useLayoutEffect(() => {
    if (element.current?.contains(document.activeElement) === true) focusOn(element.current, focused.current);
  }, [layout]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.code === 'KeyX' && !event.metaKey) drawings.pressKey(event, focus);
    else if (event.ctrlKey || event.altKey || event.metaKey) return;
    else if (!onPlainKey(event.key)) return;
    event.preventDefault();
    // Other shortcuts must not handle a key of the board.
    if (event.key !== 'Escape') event.stopPropagation();
  };
  const onPlainKey = (key: string): boolean => {
    const direction = ARROW_KEYS[key];
    if (direction !== undefined) moveFocus(layout.neighbor(focus, direction) ?? focus);
    else if (key === 'Home') moveFocus(layout.rowEnd(focus, 'first'));
    else if (key === 'End') moveFocus(layout.rowEnd(focus, 'last'));
    else if (key === 'Enter' || key === ' ') pressOn(focus);
    else if (key === 'Backspace' || key === 'Delete') drawings.clear();
    else return key === 'Escape' && (inHand !== null || drawings.cancel());
    return true;
  };

  // The key of an element is its position on the screen, so that the elements are reused when the
  // board is turned.
  const cellElement = (cell: Cell): JSX.Element => {
    const { square } = cell;
    const piece = pieces[square];
    const mark = moveMarks.get(square);
    const color = piece === undefined ? null : colorOf(piece, seats);
    const shown: BoardCellProps = {
      cell,
      piece,
      color,
      markEnd: mark?.end,
      markColor: mark?.color,
      check: checkMarks.has(square),
      picked: square === inHand,
      target: playable.areLegal && inHand !== null && playable.canGo(inHand, square),
      movable: playable.areLegal && playable.canMove(square),
      premovable: !playable.areLegal && playable.canMove(square),
      draggable: ownColor === undefined ? playable.canMove(square) : color !== null && color === ownColor,
      premove: premoveMarks.has(square),
      drawn: drawnOn.has(square),
      focusable: square === focus,
    };
    return stableCell(`${cell.row} ${cell.column}`, Object.values(shown), () => <BoardCell key={cell.column} {...shown} />);
  };
  const rowElement = (line: readonly Cell[], row: number): JSX.Element => {
    const cells = line.map(cellElement);
    return stable(String(row), cells, () => (
      <div class="board-row" role="row" key={row} aria-rowindex={row + 1} style={{ top: line[0]?.top }}>
        {cells}
      </div>
    ));
  };

  const squareOf = (event: Event): Square | null =>
    (event.target as Element).closest<HTMLElement>('[data-square]')?.dataset['square'] ?? null;

  return (
    <div
      ref={element}
      class="board"
      role="grid"
      aria-label={label}
      aria-rowcount={layout.rows}
      aria-colcount={layout.columns}
      aria-busy={rowCount < layout.rows}
      data-testid="board"
      data-premoving={!playable.areLegal}
      {...attributes}
      style={{ '--columns': layout.columns, '--rows': layout.rows, '--corner': layout.cornerSize }}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
      onMouseDown={(event) => {
        // Only the keyboard focuses squares. After a click the arrow keys step through the moves.
        event.preventDefault();
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      }}
      onClick={(event) => {
        const square = squareOf(event);
        if (square === null || drag.ignoresClick(square)) return;
        renderLater(event);
        pressOn(square);
      }}
      onPointerDown={(event) => {
        const square = squareOf(event);
        if (square === null) return;
        if (event.button === 2) {
          drawings.begin(event, square);
          return;
        }
        renderLater(event);
        onPress();
        drawings.clear();
        drag.begin(event, square, inHand);
      }}
    >
      {stable('board', [rowCount, layout, seats, pieces, moveMarks, checkMarks, inHand, playable, ownColor, premoveMarks, drawnOn, focus], () => <>{layout.shownRows.slice(0, rowCount).map(rowElement)}</>)}
      {stable('overlay', [layout, attacks, hint, drawings.shown], () => (
        <Overlay layout={layout} attacks={attacks} hint={hint} drawings={drawings.shown} />
      ))}
      <Lens at={lensPosition} layout={layout} seats={seats} pieces={pieces} marks={moveMarks} inHand={inHand} />
    </div>
  );
}

function focusOn(board: HTMLElement | null, square: Square): void {
  board?.querySelector<HTMLElement>(`[data-square="${square}"]`)?.focus();
}
