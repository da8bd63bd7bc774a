import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { text } from '../../text/index.ts';
import type { MoveInputState } from './move-input-state.ts';

/**
 * The unconfirmed move with its buttons. They are within reach of a thumb. Enter plays the move,
 * because its button gets the focus; if the move draws the match for all players, the button that
 * cancels it gets the focus. Only such moves, and all moves of players who confirm each move, need
 * a confirmation.
 */
export function ConfirmMove({ input }: { input: MoveInputState }): JSX.Element | null {
  const move = input.unconfirmed.value;
  const playButton = useRef<HTMLButtonElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const focusedBefore = document.activeElement;
    if (move === null) return undefined;
    (move.stalemates ? cancelButton : playButton).current?.focus({ preventScroll: true });
    // Gives the focus back to the element that had it before.
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
      data-warns={move.stalemates}
      onKeyDown={(event) => {
        if (event.key === 'Escape') input.cancel();
      }}
    >
      <div class="confirm-move-text">
        <span>{text.play.confirm(move.from, move.to)}</span>
        {move.stalemates && (
          <p class="confirm-warning" role="alert" data-testid="stalemate-warning">
            {text.play.stalemateWarning}
          </p>
        )}
      </div>
      <button ref={cancelButton} type="button" class="button" data-testid="confirm-cancel" onClick={() => input.cancel()}>
        {text.cancel}
      </button>
      <button ref={playButton} type="button" class="button primary" data-testid="confirm-play" onClick={() => input.confirmMove()}>
        {move.stalemates ? text.play.playAnyway : text.play.submit}
      </button>
    </div>
  );
}
