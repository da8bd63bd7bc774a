import { useEffect, useRef, useState } from 'preact/hooks';
import type { Square } from '../../protocol/generated.ts';
import { brushOf, toggleDrawing, type BrushKeys, type Drawing } from './drawings.ts';
import { listenToPointers } from './pointer-listeners.ts';

/** The handlers for drawing arrows and rings with the right mouse button or the keyboard. */
export interface DrawingControl {
  /** All drawings, including the arrow in progress. */
  readonly shown: readonly Drawing[];
  /** Begins an arrow when the right button goes down on a square. */
  begin(event: PointerEvent, square: Square): void;
  /**
   * Handles the drawing key on a square. The first press begins an arrow and the second one ends
   * it.
   */
  pressKey(keys: BrushKeys, square: Square): void;
  /** Cancels an arrow in progress. Returns whether there was one. */
  cancel(): boolean;
  /** Removes all drawings. */
  clear(): void;
}

/** Returns the drawings of one board and their handlers. */
export function useDrawings(): DrawingControl {
  const [drawings, setDrawings] = useState<readonly Drawing[]>([]);
  const [arrowInProgress, setArrowInProgress] = useState<Drawing | null>(null);
  const latest = useRef<Drawing | null>(null);
  latest.current = arrowInProgress;
  const pointer = useRef<number | null>(null);

  useEffect(() => {
    const move = (event: PointerEvent): void => {
      const arrow = latest.current;
      if (arrow === null || event.pointerId !== pointer.current) return;
      const over = squareUnder(event) ?? arrow.from;
      if (over !== arrow.to) setArrowInProgress({ ...arrow, to: over });
    };
    const up = (event: PointerEvent): void => {
      const arrow = latest.current;
      if (arrow === null || event.pointerId !== pointer.current) return;
      pointer.current = null;
      setArrowInProgress(null);
      const to = squareUnder(event);
      if (to !== null) setDrawings((before) => toggleDrawing(before, { ...arrow, to }));
    };
    const cancel = (event: PointerEvent): void => {
      if (event.pointerId !== pointer.current) return;
      pointer.current = null;
      setArrowInProgress(null);
    };
    return listenToPointers({ move, up, cancel });
  }, []);

  return {
    shown: arrowInProgress === null ? drawings : [...drawings, arrowInProgress],
    begin(event, square) {
      pointer.current = event.pointerId;
      setArrowInProgress({ from: square, to: square, brush: brushOf(event) });
    },
    pressKey(keys, square) {
      const brush = brushOf(keys);
      setArrowInProgress(arrowInProgress === null ? { from: square, to: square, brush } : null);
      if (arrowInProgress !== null) setDrawings(toggleDrawing(drawings, { from: arrowInProgress.from, to: square, brush }));
    },
    cancel() {
      setArrowInProgress(null);
      return arrowInProgress !== null;
    },
    clear() {
      if (drawings.length > 0) setDrawings([]);
      if (arrowInProgress !== null) setArrowInProgress(null);
    },
  };
}

function squareUnder(event: PointerEvent): Square | null {
  const element = document.elementFromPoint(event.clientX, event.clientY);
  return element?.closest<HTMLElement>('[data-square]')?.dataset['square'] ?? null;
}
