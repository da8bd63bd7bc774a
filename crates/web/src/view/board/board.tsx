import type { JSX } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AttackView, Square } from '../../protocol/generated.ts';
import type { PlayableMoves } from '../../store/moves.ts';
import { colorOf, type Pieces, type ColoredSeats } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import { BoardCell } from './cell.tsx';
import { useDrag } from './drag.ts';
import type { Direction, Layout } from './geometry.ts';
import { press } from './hand.ts';
import { Lens, type LensAt } from './lens.tsx';
import type { MoveMark } from './marks.ts';
import { fadeArmies, slide } from './motion.ts';
import { Overlay, type ArrowView } from './overlay.tsx';
import { useDrawings } from './use-drawings.ts';

/** Content of a board and its interactions. */
export interface BoardProps {
  readonly layout: Layout;
  /** Seats of the match, for the colors of the pieces. */
  readonly seats: ColoredSeats;
  readonly pieces: Pieces;
  /** Pieces that may be picked up, and their destinations. */
  readonly playable: PlayableMoves;
  /** The squares of a move that is made in advance. */
  readonly premoveMarks: ReadonlySet<Square>;
  readonly moveMarks: ReadonlyMap<Square, MoveMark>;
  readonly checkMarks: ReadonlySet<Square>;
  /** Checks: attackers and the kings they attack. */
  readonly attacks?: readonly AttackView[];
  /** A move that is pointed out. */
  readonly hint?: ArrowView | null;
  /** Somebody wants to go from one square to another; it is among what may be played. */
  readonly onGo: (from: Square, to: Square) => void;
  /** A square was pressed, whatever comes of it. */
  readonly onTouch: () => void;
  /** Accessible name; that of a table's board by default. */
  readonly label?: string;
  /** Further attributes of the grid. */
  readonly grid: Readonly<Record<`data-${string}`, string | number>>;
}

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

const NO_ATTACKS: readonly AttackView[] = [];

/** A board of any geometry, worked by mouse, finger and keyboard. It knows no rules: what may move where is given. */
export function Board(props: BoardProps): JSX.Element {
  const { layout, seats, pieces, playable, moveMarks, premoveMarks, checkMarks, attacks = NO_ATTACKS, hint = null, label = text.table.board, onGo, onTouch, grid } = props;
  const element = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState<Square | null>(null);
  const [focus, setFocus] = useState<Square>(() => layout.lines.at(-1)?.[0]?.square ?? '');
  const dropped = useRef<Square | null>(null);
  const inHand = picked !== null && playable.canMove(picked) ? picked : null;
  const drawings = useDrawings();
  const drawnOn = useMemo(() => new Set(drawings.shown.flatMap(({ from, to }) => [from, to])), [drawings.shown]);
  const aim = useSignal<LensAt | null>(null);

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
    drop: (from, to, carried) => {
      if (!playable.canGo(from, to)) return;
      // A piece of a move made in advance stays where it is.
      if (playable.areLegal && carried) dropped.current = to;
      go(from, to, null);
    },
    aim: (at) => {
      aim.value = at;
    },
  });

  const shown = useRef(pieces);
  useLayoutEffect(() => {
    if (element.current !== null) {
      slide(element.current, layout, shown.current, pieces, dropped.current);
      fadeArmies(element.current, layout, seats, shown.current, pieces);
    }
    shown.current = pieces;
    dropped.current = null;
  }, [pieces, layout, seats]);

  // What was picked cannot stay in hand when the turn is over.
  useEffect(() => setPicked((square) => (square !== null && playable.canMove(square) ? square : null)), [playable]);

  // Whoever works with the mouse has the focus elsewhere.
  useEffect(() => {
    if (inHand === null) return undefined;
    const putBack = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setPicked(null);
    };
    addEventListener('keydown', putBack);
    return () => removeEventListener('keydown', putBack);
  }, [inHand]);

  const moveFocus = (square: Square): void => {
    setFocus(square);
    focusOn(element.current, square);
  };
  const focused = useRef(focus);
  focused.current = focus;
  // On a board that is turned the focus stays with its square.
  useLayoutEffect(() => {
    if (element.current?.contains(document.activeElement) === true) focusOn(element.current, focused.current);
  }, [layout]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.code === 'KeyX' && !event.metaKey) drawings.press(event, focus);
    else if (event.ctrlKey || event.altKey || event.metaKey) return;
    else if (!onPlainKey(event.key)) return;
    event.preventDefault();
    // A key that is the board's is nobody else's.
    if (event.key !== 'Escape') event.stopPropagation();
  };
  const onPlainKey = (key: string): boolean => {
    const direction = KEYS[key];
    if (direction !== undefined) moveFocus(layout.next(focus, direction) ?? focus);
    else if (key === 'Home') moveFocus(layout.rowEnd(focus, 'first'));
    else if (key === 'End') moveFocus(layout.rowEnd(focus, 'last'));
    else if (key === 'Enter' || key === ' ') onPress(focus);
    else if (key === 'Backspace' || key === 'Delete') drawings.clear();
    else return key === 'Escape' && (inHand !== null || drawings.cancel());
    return true;
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
      data-testid="board"
      data-picking={inHand !== null}
      data-premoving={!playable.areLegal}
      {...grid}
      style={{ '--columns': layout.columns, '--rows': layout.rows }}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
      onMouseDown={(event) => {
        // The squares are for the keyboard's focus alone: after a press of the mouse the arrow keys look back and forward.
        event.preventDefault();
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      }}
      onClick={(event) => {
        const square = squareOf(event);
        if (square !== null && !drag.consumesClick(square)) onPress(square);
      }}
      onPointerDown={(event) => {
        const square = squareOf(event);
        if (square === null) return;
        if (event.button === 2) {
          drawings.begin(event, square);
          return;
        }
        onTouch();
        drawings.clear();
        drag.begin(event, square, inHand);
      }}
    >
      {layout.lines.map((line, row) => (
        <div class="board-row" role="row" key={row} aria-rowindex={row + 1}>
          {/* An element belongs to a place on the screen: a board that is turned needs no others. */}
          {line.map((cell) => {
            const piece = pieces[cell.square];
            return (
              <BoardCell
                key={cell.column}
                cell={cell}
                code={piece}
                color={piece === undefined ? null : colorOf(piece, seats)}
                mark={moveMarks.get(cell.square)}
                check={checkMarks.has(cell.square)}
                picked={cell.square === inHand}
                target={playable.areLegal && inHand !== null && playable.canGo(inHand, cell.square)}
                movable={playable.canMove(cell.square)}
                certain={playable.areLegal}
                premove={premoveMarks.has(cell.square)}
                drawn={drawnOn.has(cell.square)}
                focusable={cell.square === focus}
              />
            );
          })}
        </div>
      ))}
      <Overlay layout={layout} attacks={attacks} hint={hint} drawings={drawings.shown} />
      <Lens at={aim} layout={layout} seats={seats} pieces={pieces} marks={moveMarks} inHand={inHand} />
    </div>
  );
}

function focusOn(board: HTMLElement | null, square: Square): void {
  board?.querySelector<HTMLElement>(`[data-square="${square}"]`)?.focus();
}
