import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Square } from '../../protocol/generated.ts';
import type { LensAt } from './lens.tsx';

/** Distance at which a press becomes a drag, CSS pixels. */
const SLACK_PX = 5;

/** Options and callbacks of dragging. */
export interface DragOptions {
  readonly board: RefObject<HTMLElement | null>;
  readonly mayDrag: (square: Square) => boolean;
  readonly pick: (square: Square) => void;
  /**
   * Called when the piece in hand is dropped on a square: a dragged piece, or one picked before.
   */
  readonly drop: (from: Square, to: Square, carried: boolean) => void;
  /** Called with the position of a finger on the board; `null` once it is lifted. */
  readonly aim: (at: LensAt | null) => void;
}

/** Dragging beside pressing: a short press is left to the click that follows it. */
export interface Drag {
  /** A pointer went down on a square. One that comes while another holds something does nothing. */
  begin(event: PointerEvent, square: Square, picked: Square | null): void;
  /** Returns whether the click that ends this press has been handled. */
  consumesClick(square: Square): boolean;
}

interface Held {
  readonly pointer: number;
  /** `mouse`, `pen` or `touch`. */
  readonly kind: string;
  /** Square on which the finger went down. */
  readonly start: Square;
  /** Square of the piece in hand. */
  readonly from: Square;
  readonly x: number;
  readonly y: number;
  /** The piece that goes with the pointer; none while a finger only aims. */
  readonly piece: SVGElement | null;
  readonly home: DOMRect;
  readonly isFinger: boolean;
  over: HTMLElement | null;
  moved: boolean;
}

/** Lets pieces be dragged with mouse, pen or finger, and a finger aim with the piece in hand before it is lifted. */
export function useDrag(options: DragOptions): Drag {
  const latest = useRef(options);
  latest.current = options;
  const held = useRef<Held | null>(null);
  const consumed = useRef<Square | null>(null);

  useEffect(() => {
    const move = (event: PointerEvent): void => {
      if (held.current?.pointer !== event.pointerId) return;
      follow(held.current, event);
      if (held.current.isFinger) aimAt(held.current, event, latest.current.aim);
    };
    const up = (event: PointerEvent): void => {
      if (held.current?.pointer !== event.pointerId) return;
      const { moved, from, piece } = held.current;
      const to = release(held.current)?.dataset['square'];
      held.current = null;
      latest.current.aim(null);
      if (!moved) return;
      consumed.current = to ?? null;
      if (to !== undefined && to !== from) latest.current.drop(from, to, piece !== null);
    };
    const cancel = (event: PointerEvent): void => {
      if (held.current?.pointer !== event.pointerId) return;
      release(held.current);
      held.current = null;
      latest.current.aim(null);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', cancel);
    return () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', cancel);
    };
  }, []);

  return {
    begin(event, square, picked) {
      if (held.current !== null) {
        // The first pointer alone is followed. A primary one of its kind means that the first has left without a word.
        if (!event.isPrimary || held.current.kind !== event.pointerType) return;
        release(held.current);
        held.current = null;
        latest.current.aim(null);
      }
      consumed.current = null;
      const isFinger = event.pointerType === 'touch';
      const carries = latest.current.mayDrag(square);
      if (event.button !== 0 || !(carries || (isFinger && picked !== null))) return;
      const cell = latest.current.board.current?.querySelector<HTMLElement>(`[data-square="${square}"]`);
      const piece = carries ? cell?.querySelector<SVGElement>('.piece') : null;
      if (cell === undefined || cell === null || piece === undefined) return;
      held.current = {
        pointer: event.pointerId,
        kind: event.pointerType,
        start: square,
        from: carries ? square : (picked ?? square),
        x: event.clientX,
        y: event.clientY,
        piece,
        home: (piece ?? cell).getBoundingClientRect(),
        isFinger,
        over: null,
        moved: false,
      };
      if (isFinger) aimAt(held.current, event, latest.current.aim);
      if (!carries || picked === square) return;
      latest.current.pick(square);
      consumed.current = square;
    },
    consumesClick(square) {
      const is = consumed.current === square;
      consumed.current = null;
      return is;
    },
  };
}

function follow(held: Held, event: PointerEvent): void {
  const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
  if (!held.moved && Math.hypot(dx, dy) < SLACK_PX) return;
  held.moved = true;
  if (held.piece !== null) {
    held.piece.classList.add('dragged');
    // The piece's middle goes under the pointer, wherever it was taken hold of.
    const x = event.clientX - (held.home.left + held.home.width / 2);
    const y = event.clientY - (held.home.top + held.home.height / 2);
    held.piece.style.transform = `translate(${x}px, ${y}px)`;
  }
  const over = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-square]') ?? null;
  if (over === held.over) return;
  delete held.over?.dataset['over'];
  if (over !== null) over.dataset['over'] = '';
  held.over = over;
}

function aimAt(held: Held, event: PointerEvent, aim: DragOptions['aim']): void {
  const square = held.moved ? held.over?.dataset['square'] : held.start;
  aim(square === undefined ? null : { square, x: event.clientX, y: event.clientY, cell_px: held.home.width });
}

/** Puts the piece back into its place and says over which cell it was let go. */
function release(held: Held): HTMLElement | null {
  held.piece?.classList.remove('dragged');
  if (held.piece !== null) held.piece.style.transform = '';
  delete held.over?.dataset['over'];
  return held.over;
}
