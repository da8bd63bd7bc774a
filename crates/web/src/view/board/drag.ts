import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Square } from '../../protocol/generated.ts';

/** How far a pointer must go before a press becomes a drag, CSS pixels. */
const SLACK_PX = 5;

/** What dragging needs to know and to tell. */
export interface DragOptions {
  readonly board: RefObject<HTMLElement | null>;
  readonly mayDrag: (square: Square) => boolean;
  readonly pick: (square: Square) => void;
  readonly drop: (from: Square, to: Square) => void;
}

/** Dragging beside pressing: a short press is left to the click that follows it. */
export interface Drag {
  /** A pointer went down on a square. */
  begin(event: PointerEvent, square: Square, picked: Square | null): void;
  /** Whether the click that ends this press has been dealt with. */
  consumesClick(square: Square): boolean;
}

interface Held {
  readonly pointer: number;
  readonly from: Square;
  readonly x: number;
  readonly y: number;
  readonly piece: SVGElement;
  readonly home: DOMRect;
  over: HTMLElement | null;
  moved: boolean;
}

/** Lets pieces be dragged with mouse, pen or finger. */
export function useDrag(options: DragOptions): Drag {
  const latest = useRef(options);
  latest.current = options;
  const held = useRef<Held | null>(null);
  const consumed = useRef<Square | null>(null);

  useEffect(() => {
    const move = (event: PointerEvent): void => {
      if (held.current?.pointer === event.pointerId) follow(held.current, event);
    };
    const up = (event: PointerEvent): void => {
      if (held.current?.pointer !== event.pointerId) return;
      const { moved, from } = held.current;
      const to = release(held.current)?.dataset['square'];
      held.current = null;
      if (!moved) return;
      consumed.current = to ?? null;
      if (to !== undefined && to !== from) latest.current.drop(from, to);
    };
    const cancel = (event: PointerEvent): void => {
      if (held.current?.pointer !== event.pointerId) return;
      release(held.current);
      held.current = null;
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
      consumed.current = null;
      if (event.button !== 0 || !latest.current.mayDrag(square)) return;
      const cell = latest.current.board.current?.querySelector<HTMLElement>(`[data-square="${square}"]`);
      const piece = cell?.querySelector<SVGElement>('.piece');
      if (piece === undefined || piece === null) return;
      held.current = {
        pointer: event.pointerId,
        from: square,
        x: event.clientX,
        y: event.clientY,
        piece,
        home: piece.getBoundingClientRect(),
        over: null,
        moved: false,
      };
      if (picked === square) return;
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
  held.piece.classList.add('dragged');
  // The piece's middle goes under the pointer, wherever it was taken hold of.
  const x = event.clientX - (held.home.left + held.home.width / 2);
  const y = event.clientY - (held.home.top + held.home.height / 2);
  held.piece.style.transform = `translate(${x}px, ${y}px)`;
  const over = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-square]') ?? null;
  if (over === held.over) return;
  delete held.over?.dataset['over'];
  if (over !== null) over.dataset['over'] = '';
  held.over = over;
}

/** Puts the piece back into its place and says over which cell it was let go. */
function release(held: Held): HTMLElement | null {
  held.piece.classList.remove('dragged');
  held.piece.style.transform = '';
  delete held.over?.dataset['over'];
  return held.over;
}
