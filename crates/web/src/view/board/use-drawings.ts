import { useEffect, useRef, useState } from 'preact/hooks';
import type { Square } from '../../protocol/generated.ts';
import { brushOf, drawn, type BrushKeys, type Drawing } from './drawings.ts';

/** Drawing arrows and rings on a board, with the right mouse button or the keyboard. */
export interface DrawingHand {
  /** All drawings, with the arrow in progress. */
  readonly shown: readonly Drawing[];
  /** The right button went down on a square. */
  begin(event: PointerEvent, square: Square): void;
  /** The key that draws was pressed on a square: the first time an arrow begins there, the second time it ends. */
  press(keys: BrushKeys, square: Square): void;
  /** Takes back an arrow begun by key. Says whether there was one. */
  cancel(): boolean;
  /** Wipes everything away. */
  clear(): void;
}

/** Keeps what is drawn on one board. */
export function useDrawings(): DrawingHand {
  const [drawings, setDrawings] = useState<readonly Drawing[]>([]);
  const [open, setOpen] = useState<Drawing | null>(null);
  const latest = useRef<Drawing | null>(null);
  latest.current = open;
  const pointer = useRef<number | null>(null);

  useEffect(() => {
    const move = (event: PointerEvent): void => {
      const begun = latest.current;
      if (begun === null || event.pointerId !== pointer.current) return;
      const over = squareUnder(event) ?? begun.from;
      if (over !== begun.to) setOpen({ ...begun, to: over });
    };
    const up = (event: PointerEvent): void => {
      const begun = latest.current;
      if (begun === null || event.pointerId !== pointer.current) return;
      pointer.current = null;
      setOpen(null);
      const to = squareUnder(event);
      if (to !== null) setDrawings((before) => drawn(before, { ...begun, to }));
    };
    const cancel = (event: PointerEvent): void => {
      if (event.pointerId !== pointer.current) return;
      pointer.current = null;
      setOpen(null);
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
    shown: open === null ? drawings : [...drawings, open],
    begin(event, square) {
      pointer.current = event.pointerId;
      setOpen({ from: square, to: square, brush: brushOf(event) });
    },
    press(keys, square) {
      const brush = brushOf(keys);
      setOpen(open === null ? { from: square, to: square, brush } : null);
      if (open !== null) setDrawings(drawn(drawings, { from: open.from, to: square, brush }));
    },
    cancel() {
      setOpen(null);
      return open !== null;
    },
    clear() {
      if (drawings.length > 0) setDrawings([]);
      if (open !== null) setOpen(null);
    },
  };
}

function squareUnder(event: PointerEvent): Square | null {
  const element = document.elementFromPoint(event.clientX, event.clientY);
  return element?.closest<HTMLElement>('[data-square]')?.dataset['square'] ?? null;
}
