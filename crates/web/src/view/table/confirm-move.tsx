import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { text } from '../../text/index.ts';
import type { MoveInputState } from './move-input-state.ts';

/**
 * The unconfirmed move with its buttons, at the foot of the page, within reach of thumbs and Enter.
 */
export function ConfirmMove({ input }: { input: MoveInputState }): JSX.Element | null {
  const move = input.unconfirmed.value;
  const playButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const focusedBefore = document.activeElement;
    if (move === null) return undefined;
    playButton.current?.focus({ preventScroll: true });
    // Returns the focus to the element before.
    return () => {
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true });
    };
  }, [move]);
  if (move === null) return null;
  return (
    <div
      class="confirm-move"
      role="group"
      aria-label={text.play.confirm(move.from, move.to)}
      data-testid="confirm-move"
      onKeyDown={(event) => {
        if (event.key === 'Escape') input.cancel();
      }}
    >
      <span>{text.play.confirm(move.from, move.to)}</span>
      <button type="button" class="button" onClick={() => input.cancel()}>
        {text.cancel}
      </button>
      <button ref={playButton} type="button" class="button primary" data-testid="confirm-play" onClick={() => input.confirmMove()}>
        {text.play.go}
      </button>
    </div>
  );
}
