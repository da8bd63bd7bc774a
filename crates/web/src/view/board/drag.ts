import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Square } from '../../protocol/generated.ts';
import type { LensPosition } from './lens.tsx';
import { listenToPointers } from './pointer-listeners.ts';

/** The distance at which a press becomes a drag, in CSS pixels. */
const DRAG_DISTANCE_PX = 5;

/** The options and callbacks of dragging. */
export interface DragOptions {
  readonly board: RefObject<HTMLElement | null>;
  readonly mayDrag: (square: Square) => boolean;
  readonly pick: (square: Square) => void;
  /**
   * Called when the pointer is lifted over another square. `carried` is false if the piece itself
   * was not dragged: it was already selected, and the finger only pointed at the target square.
   */
  readonly drop: (from: Square, to: Square, carried: boolean) => void;
  /** Called with the position of a finger on the board, and with `null` when it is lifted. */
  readonly aim: (at: LensPosition | null) => void;
}

/**
 * The handlers of a board that supports dragging. They ignore a short press: the browser reports
 * it as a click.
 */
export interface Drag {
  /**
   * Handles a pointer that goes down on a square. `picked` is the square of the piece selected
   * before. While one pointer is down, a second one is ignored.
   */
  begin(event: PointerEvent, square: Square, picked: Square | null): void;
  /** Returns whether to ignore a click on this square, because the press before it did its work. */
  ignoresClick(square: Square): boolean;
}

interface ActivePress {
  readonly pointer: number;
  /** `mouse`, `pen` or `touch`. */
  readonly pointerType: string;
  /** The square on which the pointer went down. */
  readonly start: Square;
  /** The square of the piece to move: the pressed piece, or the piece selected before. */
  readonly from: Square;
  readonly x: number;
  readonly y: number;
  /** The dragged piece; `null` if the finger only points at a target square. */
  readonly piece: SVGElement | null;
  readonly startRect: DOMRect;
  readonly isFinger: boolean;
  over: HTMLElement | null;
  moved: boolean;
}

/**
 * Makes pieces draggable by mouse, pen and finger. When a piece is already selected, the user can
 * slide a finger to the target square; lifting the finger makes the move.
 */
export function useDrag(options: DragOptions): Drag {
  const latest = useRef(options);
  latest.current = options;
  const active = useRef<ActivePress | null>(null);
  const ignoreNextClickOn = useRef<Square | null>(null);

  useEffect(() => {
    const move = (event: PointerEvent): void => {
      if (active.current?.pointer !== event.pointerId) return;
      followPointer(active.current, event);
      if (active.current.isFinger) reportAim(active.current, event, latest.current.aim);
    };
    const up = (event: PointerEvent): void => {
      if (active.current?.pointer !== event.pointerId) return;
      const { moved, from, piece } = active.current;
      const to = release(active.current)?.dataset['square'];
      active.current = null;
      latest.current.aim(null);
      if (!moved) return;
      ignoreNextClickOn.current = to ?? null;
      if (to !== undefined && to !== from) latest.current.drop(from, to, piece !== null);
    };
    const cancel = (event: PointerEvent): void => {
      if (active.current?.pointer !== event.pointerId) return;
      release(active.current);
      active.current = null;
      latest.current.aim(null);
    };
    return listenToPointers({ move, up, cancel });
  }, []);

  return {
    begin(event, square, picked) {
      if (active.current !== null) {
        // A second pointer is ignored, unless it is a primary pointer of the same type as the first:
        // then the first pointer has ended without an event.
        if (!event.isPrimary || active.current.pointerType !== event.pointerType) return;
        release(active.current);
        active.current = null;
        latest.current.aim(null);
      }
      ignoreNextClickOn.current = null;
      const isFinger = event.pointerType === 'touch';
      const dragsPiece = latest.current.mayDrag(square);
      if (event.button !== 0 || !(dragsPiece || (isFinger && picked !== null))) return;
      const cell = latest.current.board.current?.querySelector<HTMLElement>(`[data-square="${square}"]`);
      const piece = dragsPiece ? cell?.querySelector<SVGElement>('.piece') : null;
      if (cell === undefined || cell === null || piece === undefined) return;
      active.current = {
        pointer: event.pointerId,
        pointerType: event.pointerType,
        start: square,
        from: dragsPiece ? square : (picked ?? square),
        x: event.clientX,
        y: event.clientY,
        piece,
        startRect: (piece ?? cell).getBoundingClientRect(),
        isFinger,
        over: null,
        moved: false,
      };
      if (isFinger) reportAim(active.current, event, latest.current.aim);
      if (!dragsPiece || picked === square) return;
      latest.current.pick(square);
      ignoreNextClickOn.current = square;
    },
    ignoresClick(square) {
      const isIgnored = ignoreNextClickOn.current === square;
      ignoreNextClickOn.current = null;
      return isIgnored;
    },
  };
}

function followPointer(active: ActivePress, event: PointerEvent): void {
  const [dx, dy] = [event.clientX - active.x, event.clientY - active.y];
  if (!active.moved && Math.hypot(dx, dy) < DRAG_DISTANCE_PX) return;
  active.moved = true;
  if (active.piece !== null) {
    active.piece.classList.add('dragged');
    active.piece.closest('.cell')?.toggleAttribute('data-carried', true);
    // Centers the piece under the pointer.
    const x = event.clientX - (active.startRect.left + active.startRect.width / 2);
    const y = event.clientY - (active.startRect.top + active.startRect.height / 2);
    active.piece.style.transform = `translate(${x}px, ${y}px)`;
  }
  const over = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-square]') ?? null;
  if (over === active.over) return;
  delete active.over?.dataset['over'];
  if (over !== null) over.dataset['over'] = '';
  active.over = over;
}

function reportAim(active: ActivePress, event: PointerEvent, aim: DragOptions['aim']): void {
  const square = active.moved ? active.over?.dataset['square'] : active.start;
  aim(square === undefined ? null : { square, x: event.clientX, y: event.clientY, cell_px: active.startRect.width });
}

/** Puts the piece back on its square and returns the cell under the pointer. */
function release(active: ActivePress): HTMLElement | null {
  active.piece?.classList.remove('dragged');
  active.piece?.closest('.cell')?.removeAttribute('data-carried');
  if (active.piece !== null) active.piece.style.transform = '';
  delete active.over?.dataset['over'];
  return active.over;
}
