/** The handlers of the events of a pointer that may leave the element on which it went down. */
export interface PointerHandlers {
  readonly move: (event: PointerEvent) => void;
  readonly up: (event: PointerEvent) => void;
  readonly cancel: (event: PointerEvent) => void;
}

/** Adds listeners on the window, and returns a function that removes them. */
export function listenToPointers({ move, up, cancel }: PointerHandlers): () => void {
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', cancel);
  return () => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', up);
    removeEventListener('pointercancel', cancel);
  };
}
